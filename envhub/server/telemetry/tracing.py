"""OpenTelemetry: a span for every request, named by its route, when the extra ``otel`` is installed and it is switched on.

Where spans go is said by OpenTelemetry's own variables (``OTEL_EXPORTER_OTLP_ENDPOINT``, ``OTEL_SERVICE_NAME``, ...). A trace
that the client began goes on. Nothing of OpenTelemetry is loaded while it is switched off. ::

    spans = start_spans()                     # MissingExtra where the extra is not installed
    span = spans.begin(headers)
    spans.end(span, "POST", "/v1/verify", 200, seen)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from envhub.core.errors import MissingExtra

if TYPE_CHECKING:
    from envhub.server.telemetry.request_log import RequestInfo


def start_spans() -> Spans:
    """Spans that go where OpenTelemetry's variables say, or to the provider that this process has set already.

    Raises:
        MissingExtra: The extra is not installed.
    """
    try:
        from opentelemetry import trace
        from opentelemetry.sdk.resources import SERVICE_NAME, OTELResourceDetector, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise MissingExtra(f"Traces need more: pip install 'envhub[otel]' ({error}).") from error
    provider = trace.get_tracer_provider()
    if isinstance(provider, trace.ProxyTracerProvider):  # nobody has set one
        try:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        except ImportError as error:
            raise MissingExtra(f"Traces need more: pip install 'envhub[otel]' ({error}).") from error
        resource = Resource({SERVICE_NAME: "envhub"}).merge(OTELResourceDetector().detect())
        provider = TracerProvider(resource=resource)
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        trace.set_tracer_provider(provider)
    return Spans(provider)


class Spans:
    """Makes spans of requests.

    Args:
        provider: An OpenTelemetry tracer provider.
    """

    def __init__(self, provider: Any) -> None:
        from opentelemetry.propagate import extract
        from opentelemetry.trace import SpanKind, StatusCode

        self._tracer = provider.get_tracer("envhub.server")
        self._extract, self._kind, self._failed = extract, SpanKind.SERVER, StatusCode.ERROR

    def begin(self, headers: Iterable[tuple[bytes, bytes]]) -> Any:
        """The span of a request that has just come; part of the client's trace if it names one."""
        carried = {
            str(name, "ascii"): str(value, "latin-1")
            for name, value in headers
            if name in (b"traceparent", b"tracestate")
        }
        parent = self._extract(carried) if carried else None
        return self._tracer.start_span("request", context=parent, kind=self._kind)

    def end(self, span: Any, method: str, route: str, status: int, seen: RequestInfo) -> None:
        """End the span with what became known."""
        span.update_name(f"{method} {route}")
        attributes = {
            "http.request.method": method,
            "http.route": route,
            "http.response.status_code": status,
            "envhub.request_id": seen.request_id,
            "envhub.env": seen.env_id,
            "envhub.key": seen.key_id,
            "error.type": seen.code,
        }
        span.set_attributes({name: value for name, value in attributes.items() if value != ""})
        if status >= 500:
            span.set_status(self._failed)
        span.end()
