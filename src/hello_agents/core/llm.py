"""A language model behind any OpenAI-compatible endpoint, called without await."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from hello_agents.core.config import as_number, environment
from hello_agents.core.console import say
from hello_agents.core.exceptions import HelloAgentsException
from hello_agents.core.providers import credentials, default_model, detect
from ricordo.errors import Invalid, RicordoError

if TYPE_CHECKING:
    from ricordo.models.chat import OpenAILLM, Turn

_RETRIES = 2
_TIMEOUT = 60.0


class HelloAgentsLLM:
    """Arguments first, then the environment. What is missing is said when the model is first asked, not before.

    Further keyword arguments become fields of every request.
    """

    def __init__(
        self,
        model: str | None = None,
        api_key: str | None = None,
        base_url: str | None = None,
        provider: str | None = None,
        temperature: float = 0.7,
        max_tokens: int | None = None,
        timeout: float | None = None,
        **kwargs: Any,
    ) -> None:
        env = environment()
        self.temperature = temperature
        self.max_tokens = max_tokens
        self.timeout = timeout or as_number(env, "LLM_TIMEOUT", _TIMEOUT)
        self.kwargs = kwargs
        self.provider = provider.lower() if provider else detect(api_key, base_url, env)
        self.api_key, self.base_url = credentials(self.provider, api_key, base_url, env)
        self.model = model or env.get("LLM_MODEL_ID") or default_model(self.provider, self.base_url)

    @property
    def missing(self) -> str | None:
        """What still has to be configured before the model can be asked; None when nothing has."""
        if not getattr(self, "base_url", None):
            return "没有配置模型服务的地址：请设置 LLM_BASE_URL，或传入 base_url"
        if not getattr(self, "api_key", None):
            return "没有配置模型服务的密钥：请设置 LLM_API_KEY，或传入 api_key（本地服务可填任意值）"
        return None

    @property
    def client(self) -> OpenAILLM:
        """The engine's own client for the endpoint that is set now; HelloAgentsException says what is missing."""
        if self.missing:
            raise HelloAgentsException(self.missing)
        wanted = (self.base_url, self.api_key, self.model, getattr(self, "timeout", None) or _TIMEOUT)
        made: tuple[Any, OpenAILLM] | None = self.__dict__.get("_made")
        if made is None or made[0] != wanted:
            made = (wanted, self._connect())
            self.__dict__["_made"] = made
        return made[1]

    def invoke(self, messages: Sequence[Mapping[str, Any]], **kwargs: Any) -> str:
        """The whole answer, without its reasoning."""
        return self._turn(messages, (), kwargs).text

    def converse(
        self, messages: Sequence[Mapping[str, Any]], tools: Sequence[dict[str, Any]] = (), **kwargs: Any
    ) -> Turn:
        """The answer, or the calls of `tools` that the model asks for natively."""
        if type(self).invoke is not HelloAgentsLLM.invoke:
            from ricordo.models.chat import Turn

            return Turn(self.invoke(messages, **kwargs))
        return self._turn(messages, tools, kwargs)

    def think(self, messages: Sequence[Mapping[str, Any]], temperature: float | None = None) -> Iterator[str]:
        """The answer piece by piece, shown on stdout as it comes."""
        return self.stream_invoke(messages, **({} if temperature is None else {"temperature": temperature}))

    def stream_invoke(self, messages: Sequence[Mapping[str, Any]], **kwargs: Any) -> Iterator[str]:
        """As `think`, with further fields of the request."""
        from ricordo.blocking import iterate

        say(f"🧠 正在调用 {self.model} 模型……")
        try:
            max_tokens, options = self._options(kwargs)
            pieces = iterate(self.client.stream(messages, max_tokens=max_tokens, options=options))
            for number, piece in enumerate(pieces):
                if number == 0:
                    say("✅ 模型开始回答：")
                say(piece, end="")
                yield piece
            say()
        except RicordoError as error:
            say(f"\n❌ 模型调用失败：{error}")
            raise self._wrapped(error) from error

    def _turn(
        self, messages: Sequence[Mapping[str, Any]], tools: Sequence[dict[str, Any]], kwargs: dict[str, Any]
    ) -> Turn:
        from ricordo.blocking import run

        max_tokens, options = self._options(kwargs)
        try:
            return run(self.client.converse(messages, tools=tools, max_tokens=max_tokens, options=options))
        except RicordoError as error:
            raise self._wrapped(error) from error

    def _connect(self) -> OpenAILLM:
        from ricordo.models.chat import OpenAILLM

        try:
            return OpenAILLM(
                cast("str", self.base_url),
                model=self.model,
                key=self.api_key,
                timeout=getattr(self, "timeout", None) or _TIMEOUT,
                retries=_RETRIES,
            )
        except Invalid as error:
            raise HelloAgentsException(f"模型服务的配置无法使用：{error}") from error

    def _options(self, kwargs: dict[str, Any]) -> tuple[int | None, dict[str, Any]]:
        """The most tokens that may be answered, and the further fields of a request."""
        options = {"temperature": getattr(self, "temperature", None), **getattr(self, "kwargs", {}), **kwargs}
        return options.pop("max_tokens", getattr(self, "max_tokens", None)), options

    def _wrapped(self, error: Exception) -> HelloAgentsException:
        return error if isinstance(error, HelloAgentsException) else HelloAgentsException(f"模型调用失败：{error}")

    def __repr__(self) -> str:
        return f"HelloAgentsLLM(provider={self.provider!r}, model={self.model!r})"
