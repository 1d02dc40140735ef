"""The action languages of GUI agents: what is read, and what is not."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pytest

import envhub
from envhub.browser.resource import Seen
from envhub.core.seeding import Stream
from envhub.core.tools import Call, Malformed
from envhub.envs.tools.gui import conversation
from envhub.envs.tools.gui.languages import LANGUAGES

READ = [
    ("agentcpm-gui", '{"POINT":[500,250]}', "click", {"x": 200, "y": 200}),
    ("agentcpm-gui", '{"thought":"x","POINT":[0,1000]}', "click", {"x": 0, "y": 799}),
    ("agentcpm-gui", '```json\n{"TYPE":"a"}\n```', "retype", {"text": "a"}),
    ("agentcpm-gui", '{"POINT":[500,500],"to":"down"}', "swipe", {"x": 200, "y": 400, "direction": "down"}),
    ("agentcpm-gui", '{"POINT":[0,0],"to":[500,500]}', "drag", {"x": 0, "y": 0, "to_x": 200, "to_y": 400}),
    ("agentcpm-gui", '{"PRESS":"ENTER"}', "key", {"key": "Enter"}),
    ("agentcpm-gui", '{"PRESS":"BACK"}', "back", {}),
    ("agentcpm-gui", '{"PRESS":"HOME"}', "home", {}),
    ("agentcpm-gui", '{"duration":500,"STATUS":"continue"}', "wait", {}),
    ("agentcpm-gui", '{"STATUS":"finish"}', "done", {"answer": ""}),
    ("agentcpm-gui", '{"STATUS":"finish","TYPE":"42"}', "done", {"answer": "42"}),
    ("ui-tars", "Thought: there.\nAction: click(start_box='(10,20)')", "click", {"x": 10, "y": 20}),
    ("ui-tars", "Action: click(start_box='<|box_start|>(10,20)<|box_end|>')", "click", {"x": 10, "y": 20}),
    ("ui-tars", "Action: click(start_box='<point>10 20</point>')", "click", {"x": 10, "y": 20}),
    ("ui-tars", "Action: drag(start_box='(1,2)', end_box='(3,4)')", "drag", {"x": 1, "y": 2, "to_x": 3, "to_y": 4}),
    ("ui-tars", "Action: type(content='it\\'s')", "type", {"text": "it's"}),
    ("ui-tars", "Action: type(content='x\\n')", "submit_text", {"text": "x"}),
    ("ui-tars", "Action: type(content='\\n')", "key", {"key": "Enter"}),
    ("ui-tars", "Action: hotkey(key='ctrl a')", "key", {"key": "ctrl a"}),
    ("ui-tars", "Action: wait()", "wait", {}),
    ("ui-tars", "Action: finished(content='42')", "done", {"answer": "42"}),
    ("browsergym", "click('12')", "click", {"id": 12}),
    ("browsergym", "fill('3', 'a (b), c')", "type", {"id": 3, "text": "a (b), c"}),
    ("browsergym", "select_option('3', 'large')", "select", {"id": 3, "option": "large"}),
    ("browsergym", "press('3', 'Enter')", "press_in", {"id": 3, "key": "Enter"}),
    ("browsergym", "drag_and_drop('3', '4')", "drag", {"id": 3, "to_id": 4}),
    ("browsergym", "mouse_click(3.4, 5)", "click", {"x": 3, "y": 5}),
    ("browsergym", "scroll(0, -200)", "scroll", {"direction": "up"}),
    ("browsergym", "noop()", "wait", {}),
    ("browsergym", "```\nsend_msg_to_user('42')\n```", "done", {"answer": "42"}),
]
REFUSED = [
    ("agentcpm-gui", "click the button"),
    ("agentcpm-gui", "[1, 2]"),
    ("agentcpm-gui", '{"POINT":[500]}'),
    ("agentcpm-gui", '{"POINT":[500,1001]}'),
    ("agentcpm-gui", '{"POINT":["1",2]}'),
    ("agentcpm-gui", '{"POINT":[true,2]}'),
    ("agentcpm-gui", '{"POINT":[NaN,2]}'),
    ("agentcpm-gui", '{"POINT":[1,2],"POINT":[3,4]}'),
    ("agentcpm-gui", '{"POINT":[1,2],"TYPE":"x"}'),
    ("agentcpm-gui", '{"PRESS":"APPSELECT"}'),
    ("agentcpm-gui", '{"PRESS":["HOME"]}'),
    ("agentcpm-gui", '{"PRESS":"HOME","POINT":[1,2]}'),
    ("agentcpm-gui", '{"STATUS":"satisfied"}'),
    ("agentcpm-gui", '{"thought":"done"}'),
    ("agentcpm-gui", '{"OPEN":"file:///etc/passwd"}'),
    ("agentcpm-gui", '{"POINT":[1,2]} {"POINT":[3,4]}'),
    ("agentcpm-gui", "[" * 100_000),
    ("ui-tars", "click(start_box='(10,20)')"),
    ("ui-tars", "Action: click(start_box='(10,20)')\nAction: wait()"),
    ("ui-tars", "Action: click(start_box='10')"),
    ("ui-tars", "Action: click(start_box='(-1,2)')"),
    ("ui-tars", "Action: click()"),
    ("ui-tars", "Action: click(start_box='(1,2)', end_box='(1,2)')"),
    ("ui-tars", "Action: scroll(start_box='(1,2)', direction='sideways')"),
    ("ui-tars", "Action: wait() and then more"),
    ("ui-tars", "Action: open_app(app_name='x')"),
    ("browsergym", "click(12.5)"),
    ("browsergym", "click('a12')"),
    ("browsergym", "click('1', '2')"),
    ("browsergym", "click('1'); click('2')"),
    ("browsergym", "goto('file:///etc/passwd')"),
    ("browsergym", "go_back()"),
    ("browsergym", "new_tab()"),
    ("browsergym", "fill('1', __import__('os').getcwd())"),
    ("browsergym", "scroll(0, 0)"),
    ("browsergym", "scroll(100, 100)"),
    ("browsergym", "I would click('12')"),
    ("browsergym", "click('12'"),
]


@pytest.mark.parametrize(("language", "text", "name", "arguments"), READ)
def test_an_action_is_read(language: str, text: str, name: str, arguments: dict[str, object]) -> None:
    assert LANGUAGES[language].read(text) == Call(name, arguments)


@pytest.mark.parametrize(("language", "text"), REFUSED)
def test_anything_else_is_malformed_and_an_example_is_given(language: str, text: str) -> None:
    found = LANGUAGES[language].read(text)
    assert isinstance(found, Malformed)
    assert LANGUAGES[language].example in found.feedback


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_example_can_be_read(language: str) -> None:
    assert isinstance(LANGUAGES[language].read(LANGUAGES[language].example), Call)


@pytest.mark.parametrize("refused", [None, "No field has the focus."])
def test_a_refused_text_presses_no_key(refused: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Writing and pressing Enter is one action: it is carried out whole, or nothing happens."""
    done: list[str] = []

    def acted(resource: str, action: dict[str, Any], view: Any) -> Any:
        done.append(action["do"])
        yield from ()
        return Seen("the page", (), refused, (), "browser")

    monkeypatch.setattr(conversation, "act", acted)
    with closing(envhub.make("gui-v0", difficulty=1, tool_format="ui-tars")) as env:
        env.reset(seed=1)
        environment, inst = env.environment, env.episode.instance
        state = environment.begin(inst, Stream(b"gui"))
        with pytest.raises(StopIteration) as stop:
            next(environment.submit_text(inst, state, "tea"))
    _, said = stop.value.value
    assert done == (["type"] if refused else ["type", "key"])
    assert ("Not carried out" in said) == bool(refused)
