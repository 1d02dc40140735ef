// A stand-in for MiniWoB++'s core.js: the names that its pages and the adapter use.
var WOB_RAW_REWARD_GLOBAL = 0, WOB_DONE_GLOBAL = false;
var core = {EPISODE_MAX_TIME: 500};
Math.seedrandom = text => {
  let state = [...text].reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 2147483647, 7);
  Math.random = () => (state = (state * 48271) % 2147483647) / 2147483647;
};
core.startEpisode = () => {
  if (document.getElementById('sync-task-cover')) return;
  const cover = document.createElement('div');
  cover.id = 'sync-task-cover';
  cover.style.cssText = 'position:absolute;inset:0;background:#ccc';
  cover.onclick = () => core.startEpisodeReal();
  document.body.append(cover);
};
core.startEpisodeReal = () => {
  genProblem();
  WOB_RAW_REWARD_GLOBAL = 0;
  WOB_DONE_GLOBAL = false;
  setTimeout(() => core.endEpisode(-1), core.EPISODE_MAX_TIME);
};
core.endEpisode = reward => {
  if (WOB_DONE_GLOBAL) return;
  WOB_RAW_REWARD_GLOBAL = reward;
  WOB_DONE_GLOBAL = true;
  core.startEpisode();
};
core.getUtterance = () => document.getElementById('query').textContent;
