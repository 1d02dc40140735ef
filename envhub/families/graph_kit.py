"""The names that every graph task needs."""

from envhub.authoring.wording import Phrase
from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.families.graph_renderings import drawn_graph
from envhub.families.graph_task import GraphTask
from envhub.families.levels import knob, levels
from envhub.generators.graphs.graph import Graph
from envhub.generators.optimum import Optimum

__all__ = ["JSON", "Graph", "GraphTask", "Optimum", "Phrase", "Stream", "drawn_graph", "knob", "levels"]
