"""Uploads a finished dataset to the Hugging Face Hub.

The card becomes the page of the repository.

::

    hub = DatasetHub("me/sudoku")         # checks the name and the account before anything is drawn
    hub.push(generate(config, out))       # one commit; returns its address

All files are one commit, so a reader never sees half a dataset. Files that the repository already contains unchanged are not
sent again. The package ``huggingface_hub`` reads the token (``HF_TOKEN``, or ``hf auth login``) and the address
(``HF_ENDPOINT``); neither is written anywhere.
"""

from __future__ import annotations

from envhub.core.errors import EnvhubError, InvalidParameters, MissingExtra
from envhub.dataset.generation import Written

_PAGE = "README.md"


class DatasetHub:
    """A repository of datasets on the Hub.

    Args:
        repo: Its name, such as ``me/sudoku``.

    Raises:
        MissingExtra: ``huggingface_hub`` is not installed.
        InvalidParameters: ``repo`` is not the name of a repository, or there is no token.
    """

    def __init__(self, repo: str) -> None:
        try:
            from huggingface_hub import HfApi, get_token
            from huggingface_hub.utils import HFValidationError, validate_repo_id
        except ImportError:
            raise MissingExtra("huggingface_hub is needed to push: pip install 'envhub[hub]'") from None
        try:
            validate_repo_id(repo)
        except HFValidationError as error:
            raise InvalidParameters(f"--push-to-hub takes a name like me/sudoku, got {repo!r}. {error}") from None
        if get_token() is None:
            raise InvalidParameters("There is no token of the Hub. Set HF_TOKEN, or run: hf auth login")
        self._api = HfApi(library_name="envhub")
        self._repo = repo

    def push(self, written: Written) -> str:
        """Upload a dataset; creates the repository if it does not exist.

        Returns:
            The address of the commit.

        Raises:
            EnvhubError: The Hub cannot be reached, or refused the upload. The files are kept.
        """
        from huggingface_hub import CommitOperationAdd

        contents = {_PAGE: written.card} | {path.name: path for path in written.files.values()}
        added = [CommitOperationAdd(name, path) for name, path in contents.items()]
        try:
            self._api.create_repo(self._repo, repo_type="dataset", exist_ok=True)
            commit = self._api.create_commit(
                self._repo, added, commit_message=f"{written.rows} rows by envhub", repo_type="dataset"
            )
        except Exception as error:  # the package and its HTTP client, which changes, share no base class
            raise EnvhubError(
                f"The dataset is written, but could not be pushed to {self._repo}: {error}\nThe same command tries again."
            ) from error
        return str(commit.commit_url)
