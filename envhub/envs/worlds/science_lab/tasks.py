"""What the prompt says on each kind of experiment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from envhub.authoring.wording import Phrase

TASKS: Final[Mapping[str, Phrase]] = {
    "matter": Phrase(
        "You are in a laboratory building. Find the melting points of {subjects}. You have {steps}.",
        "Determine, in a laboratory building, at which temperature each of these melts: {subjects}. You have {steps}.",
        "Your task in this laboratory building: measure the melting points of {subjects} in at most {steps}.",
        held_out="You control a robot in a laboratory building. Within {steps}, it is to establish the melting "
        "points of {subjects}.",
    ),
    "circuits": Phrase(
        "You are in a laboratory building. Find out which of {subjects} conduct electricity. You have {steps}.",
        "Determine, in a laboratory building, whether each of these conducts electricity: {subjects}. You have "
        "{steps}.",
        "Your task in this laboratory building: test whether {subjects} conduct electricity, in at most {steps}.",
        held_out="You control a robot in a laboratory building. Within {steps}, it is to establish which of "
        "{subjects} are electrical conductors.",
    ),
    "growth": Phrase(
        "You are in a laboratory building. Find out how far a plant grows in the soils of {subjects}. You have "
        "{steps}.",
        "Determine, in a laboratory building, how far plants grow in the different soils of {subjects}. You have "
        "{steps}.",
        "Your task in this laboratory building: grow a plant in each of {subjects} and see how far it gets, in at "
        "most {steps}.",
        held_out="You control a robot in a laboratory building. Within {steps}, it is to establish the final stage "
        "of a plant in each of {subjects}.",
    ),
    "planes": Phrase(
        "You are in a laboratory building. Order the inclined planes {subjects} by friction. You have {steps}.",
        "Determine, in a laboratory building, the order of the inclined planes {subjects} by friction. You have "
        "{steps}.",
        "Your task in this laboratory building: compare the friction of the inclined planes {subjects} in at most "
        "{steps}.",
        held_out="You control a robot in a laboratory building. Within {steps}, it is to rank the inclined planes "
        "{subjects} by friction.",
    ),
    "genetics": Phrase(
        "You are in a laboratory building. Find out whether {subjects} are pure, hybrid or recessive. You have "
        "{steps}.",
        "Determine, in a laboratory building, which of {subjects} are pure, which hybrid and which recessive. You "
        "have {steps}.",
        "Your task in this laboratory building: classify {subjects} as pure, hybrid or recessive in at most {steps}.",
        held_out="You control a robot in a laboratory building. Within {steps}, it is to establish the genetic type "
        "of {subjects}: pure, hybrid or recessive.",
    ),
}
METHODS: Final[Mapping[str, Phrase]] = {
    "matter": Phrase(
        'The thermometer and the samples lie somewhere in the building. In the room of the hot plate, use "move '
        'SAMPLE to hot plate" (one at a time), "activate hot plate" (once) and "wait": each wait heats the sample '
        'on the plate by 10 degrees and says whether it is solid or liquid. "pick up SAMPLE" takes it off again. '
        '"use thermometer on SAMPLE" shows the temperature of a sample that you carry or that is on the plate in '
        "your room, if you carry the thermometer. Samples are solid at first, at different temperatures, and keep "
        "their temperature while they are not heated.",
        "You must find the thermometer, the samples and the room of the hot plate. The hot plate is turned on by "
        '"activate hot plate" and holds one sample: "move SAMPLE to hot plate", "pick up SAMPLE". With each "wait", '
        "the sample on it becomes 10 degrees hotter, and you see whether it is solid or liquid. While you carry the "
        'thermometer, "use thermometer on SAMPLE" works on a sample that you carry or on the plate beside you. At '
        "first, all samples are solid, and their temperatures differ. A sample that is not heated keeps its "
        "temperature.",
        'Somewhere in the building there are a hot plate, a thermometer and the samples. At the hot plate, "move '
        'SAMPLE to hot plate" puts one sample on it, "activate hot plate" turns it on, and each "wait" raises the '
        "temperature of the sample on it by 10 degrees and reports whether it is solid or liquid. Remove the sample "
        'with "pick up SAMPLE". Read its temperature, there or wherever you carry it, with "use thermometer on '
        'SAMPLE" while you carry the thermometer. The samples start solid, at different temperatures, which only '
        "heating changes.",
        held_out='Equipment, to be found in the building: a hot plate, a thermometer, the samples. "activate hot '
        'plate" (once); "move SAMPLE to hot plate" (room for one); "wait" (adds 10 degrees to that sample and '
        'reports solid or liquid); "pick up SAMPLE"; "use thermometer on SAMPLE" (carry the thermometer; the sample '
        "is carried or on the plate in your room). Initially every sample is solid; initial temperatures differ, "
        "and nothing but heating changes them.",
    ),
    "circuits": Phrase(
        "There is a battery in one room; the samples, a copper rod, which conducts, and {spares} lie somewhere in "
        'the building. At the battery, "connect NAME to battery" connects one bulb, and one sample or the copper '
        'rod; together they form a loop. "disconnect NAME" takes a thing out and back into your hands. "look at '
        'BULB" then says whether the connected bulb is lit: it is if the bulb works and the thing in the loop '
        "conducts. Of several bulbs, at least one is broken and at least one works.",
        "Find the battery, the samples, {spares} and a copper rod, which is known to conduct. In the room of the "
        'battery, you make a loop of the battery, one bulb and one sample (or the copper rod) with "connect NAME to '
        'battery" for each of the two; "disconnect NAME" puts a part back into your hands. A connected bulb is lit '
        'if it works and the sample or copper rod conducts; "look at BULB" says so. If there is more than one bulb, '
        "some work and some are broken.",
        "Somewhere in the building there are a battery, the samples, {spares} and a copper rod, a known conductor. "
        'A loop consists of the battery, one bulb, and one sample or the copper rod; each is added by "connect NAME '
        'to battery" and removed by "disconnect NAME", in the room of the battery. With "look at BULB" you see '
        "whether the bulb in the loop is lit. This needs a bulb that works and a thing that conducts. Among several "
        "bulbs, there are working and broken ones.",
        held_out="To be found in the building: a battery, the samples, {spares}, a copper rod (conducts). The loop "
        'has two free slots, one for a bulb and one for a sample or the copper rod: "connect NAME to battery" fills '
        'a slot, "disconnect NAME" returns the part to your inventory. "look at BULB" reports whether the bulb in '
        "the loop is lit, that is, whether it works and the other part conducts. With two or more bulbs, at least "
        "one works and at least one does not.",
    ),
    "growth": Phrase(
        'Seeds and a watering can lie somewhere in the building, and there is a sink in one room. "use watering can '
        'on sink" fills the can for the whole task. At the planter with the pots, "use seeds on POT" sows, once per '
        'pot, and each "use watering can on POT" brings the plant one stage further (seed, sprout, leaves, flower, '
        "fruit), until the last stage that the soil of this pot allows; then watering no longer changes it.",
        'Find the seeds, the watering can, a sink and the planter. You fill the can with "use watering can on '
        'sink"; one filling is enough. Each pot is sown once with "use seeds on POT". Then each "use watering can '
        'on POT" moves the plant on by one stage, in the order seed, sprout, leaves, flower, fruit. From the last '
        "stage that the soil allows, watering changes nothing any more.",
        "Somewhere in the building there are seeds, a watering can, a sink and the planter with the pots. Fill the "
        'can once: "use watering can on sink". Sow each pot once: "use seeds on POT". Water it: "use watering can '
        'on POT". Each watering advances the plant by one of the stages seed, sprout, leaves, flower, fruit; each '
        "soil has a last stage, after which watering has no effect.",
        held_out='To be found in the building: seeds, a watering can, a sink, a planter with pots. "use watering '
        'can on sink" (once for all); "use seeds on POT" (once per pot); "use watering can on POT" (one stage per '
        "watering). The stages are seed, sprout, leaves, flower, fruit, in this order. The soil of a pot determines "
        "its last stage; further watering changes nothing.",
    ),
    "planes": Phrase(
        'A stopwatch and {spares} lie somewhere in the building. In the room of the planes, "move BLOCK to PLANE" '
        "lets a block that you carry slide down and tells the seconds it takes, if you carry the stopwatch; you "
        "then hold the block again. More friction takes more time. Blocks may differ in their own friction, but "
        "every block has the same order of planes.",
        "Find the stopwatch, the planes and at least one block of {spares}. With the stopwatch and a block in your "
        'hands, "move BLOCK to PLANE" lets the block slide down, tells you the seconds, and returns the block to '
        "you. A slide takes longer on a plane with more friction. The block matters too, but the order of the "
        "planes is the same for each block.",
        "Somewhere in the building there are a stopwatch, {spares} and, in one room, the planes. While you carry "
        'the stopwatch and a block, "move BLOCK to PLANE" gives the seconds that the block needs to slide down; the '
        "block comes back to your hand. The more friction a plane has, the longer it takes. Different blocks may "
        "need different times on the same plane, but all order the planes alike.",
        held_out='To be found in the building: a stopwatch, {spares}, the planes. "move BLOCK to PLANE" (carry both '
        "the block and the stopwatch) reports the seconds of the slide, after which you still carry the block. "
        "Higher friction means a longer slide. Times depend on the block as well; the order of the planes does not.",
    ),
    "genetics": Phrase(
        'A brush lies somewhere in the building, and the plants grow in a flower bed in one room. There, "use brush '
        'on PLANT" takes pollen of a plant onto the clean brush, and a second "use brush on PLANT" brings it onto a '
        "plant, cleans the brush, and shows their 8 offspring. Each plant has two copies of a gene, and each "
        "offspring gets one of each parent; the 8 have exactly Mendel's proportions. A pure plant has two dominant "
        "copies, a hybrid one of each and the dominant look, a recessive plant two recessive copies. Which look is "
        "dominant is not known. Two more plants, one of each look, are from pure lines: each has two equal copies.",
        'Find the brush and the flower bed. The first "use brush on PLANT" collects pollen; the next one pollinates '
        "a plant, shows the 8 offspring of the two, and leaves the brush clean. Every plant carries two copies of "
        "one gene and passes on one of them; the 8 offspring show Mendel's proportions exactly. pure: two dominant "
        "copies. hybrid: one dominant and one recessive copy; it has the dominant look. recessive: two recessive "
        "copies. You do not know which look is dominant. The bed also has two plants of pure lines, one of each "
        "look, whose two copies are equal.",
        'Somewhere in the building there are a brush and a flower bed with the plants. "use brush on PLANT" with a '
        'clean brush takes pollen; with pollen on it, "use brush on PLANT" crosses the two plants, shows 8 '
        "offspring and cleans the brush. A plant has two copies of a gene, one from each parent, and the 8 "
        "offspring have Mendel's proportions without chance. With two dominant copies a plant is pure, with one of "
        "each it is hybrid and has the dominant look, with two recessive ones it is recessive. The dominant look is "
        "unknown. Two further plants, one of each look, come from pure lines and have two equal copies.",
        held_out='To be found in the building: a brush, a flower bed. Alternately, "use brush on PLANT" collects '
        "pollen and applies it; applying it reports 8 offspring of the two plants, in exact Mendelian proportions, "
        "and cleans the brush. Definitions: pure = two dominant copies of the gene; hybrid = one dominant, one "
        "recessive (dominant look); recessive = two recessive copies. The dominant look is not given. The bed "
        "contains two additional plants of pure lines (two equal copies), one of each look.",
    ),
}
PROOFS: Final[Mapping[str, Phrase]] = {
    "matter": Phrase(
        "Your answer counts only if you have seen each sample become liquid and have used the thermometer on each, "
        "before or after.",
        "The answer is accepted only after each sample became liquid on the hot plate and was measured with the "
        "thermometer at least once, at any time.",
        "Guesses do not count: each sample must have become liquid, and you must have used the thermometer on it at "
        "some time.",
        held_out="An answer is valid only if every sample was melted and every sample was measured at some time.",
    ),
    "circuits": Phrase(
        "Your answer counts only if, for each sample, you have looked at a working bulb while the sample was in the "
        "loop with it.",
        "The answer is accepted only after each sample was in the loop with a bulb that works while you looked at "
        "the bulb.",
        "Guesses do not count: with each sample in the loop, you must have looked at the bulb in it, and the bulb "
        "must work.",
        held_out="An answer is valid only if every sample was tested, that is, the bulb in its loop works and you "
        "looked at it.",
    ),
    "growth": Phrase(
        "Your answer counts only if you have seen for each pot that watering no longer changes the plant, even if "
        "it bears fruit.",
        "The answer is accepted only after each pot was watered once without any change. This includes pots with "
        "fruit.",
        "Guesses do not count: you must have watered every pot until one watering had no effect, also if the plant "
        "has fruit.",
        held_out="An answer is valid only if every pot has had one watering without effect, including pots at the "
        "stage fruit.",
    ),
    "planes": Phrase(
        "Your answer counts only if you have timed all planes with one and the same block.",
        "The answer is accepted only after some block was timed on each of the planes.",
        "Guesses do not count: there must be a block that you have timed on every plane.",
        held_out="An answer is valid only if a single block was timed on every plane.",
    ),
    "genetics": Phrase(
        "Your answer counts only if you have crossed each of the plants in question with the plant of a pure line "
        "that has the other look.",
        "The answer is accepted only after each plant in question was crossed, in either direction, with the plant "
        "of a pure line whose look differs from its own.",
        "Guesses do not count: each plant in question must have been crossed with the plant of a pure line that "
        "looks different.",
        held_out="An answer is valid only if every plant in question was crossed with the pure-line plant of the "
        "opposite look.",
    ),
}
ANSWERS: Final[Mapping[str, str]] = {
    "matter": "Each value is the lowest temperature in degrees at which the sample is liquid, a multiple of 10.",
    "circuits": "Each value is yes if the sample conducts, otherwise no.",
    "growth": "Each value is the last stage of the plant: seed, sprout, leaves, flower or fruit.",
    "planes": "Each value is the rank of the plane, from 1 for the least friction to {count} for the most.",
    "genetics": "Each value is pure, hybrid or recessive.",
}
