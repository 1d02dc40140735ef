"""A pool of common English words.

No two words of the same length differ in a single letter, so a misspelt word is never another word of the pool.
"""

from __future__ import annotations

from typing import Final

_WORDS: Final = (
    "able about above acorn across actor admit adult after again agent agree alarm album alert alive allow alone "
    "amber among angle angry animal apple april apron arena argue armchair arrow artist ashes aspect attic august "
    "autumn avenue awake away bacon badge bakery balcony ballad bamboo banana banner barrel basil basket beach "
    "beacon beauty bedroom beetle before begin behind belief belong beside better beyond bicycle biscuit bishop "
    "blanket blossom bonnet border borrow bottle bottom branch bread breeze brick bridge bright brother bucket "
    "budget buffalo builder bundle button cabin cactus calendar camera canal candle canvas captain carbon carpet "
    "carrot castle cedar ceiling celery cellar cement centre cereal chain chamber chapel cheese cherry chicken "
    "chimney church circle citizen clever climate clothes cobbler coconut coffee colony comfort common copper coral "
    "corner cotton country cousin crater crayon creek cricket crowd crystal culture cupboard curtain custom cycle "
    "dagger dairy dancer daring dawn debate decade deer delta dentist depth desert dessert device diamond diary "
    "dinner divide doctor dolphin donkey double dragon drawer dream drizzle drummer duck dusty eager eagle early "
    "earth easel east echo eclipse edge editor effort eight elbow elder elephant eleven emerald empire empty enamel "
    "energy engine enjoy enough entire envelope equal errand escape essay estate evening every evidence exam exit "
    "expert fabric factory falcon family famous farmer fashion feather fellow fence ferry fiddle field fifteen "
    "figure finger fisher flavour flower flute folder forest fossil fountain freedom friday frozen fruit funnel "
    "furnace future galaxy gallery gallon garage garden garlic gather gentle ghost giant giraffe glacier glider "
    "glove goblet golden gossip grain gravel green guitar gypsum habit hammer hamster happen harbour harvest hazel "
    "height helmet herring hidden hollow honest honey hotel humble hundred hunter husband icicle idea igloo image "
    "impulse inch index indigo infant inform injury insect inside invite iris island ivory jacket jaguar jasmine "
    "jelly jewel jigsaw jockey journal journey jubilee judge juice jungle junior kayak kernel kettle keyboard "
    "kidney kilo kingdom kitchen kitten knight knot koala label ladder lagoon lamp language lantern laptop lattice "
    "laundry lemon leopard lesson level library lilac linen liquid lizard lobster locket logic lumber lunar machine "
    "magnet mango maple marble margin market meadow medal melody memory menu merchant mirror modern monday morning "
    "mosaic motor muffin museum mustard narrow native nature nectar needle nephew nickel noble noodle north "
    "notebook nurse nutmeg oasis object oboe ocean october office onion opal opera orange orbit orchard orchid "
    "organ otter outside oven owner oxygen oyster paddle palace pancake panther paper parade pasta pebble pencil "
    "pepper piano picnic pigeon pillow pirate planet plaster platform plum poem poplar potato powder prairie prince "
    "printer profit pumpkin puppet purple puzzle pyramid quail quarter quartz queen quest quiet quiver rabbit radio "
    "radish railway raisin raven razor recipe record reef relax remedy rescue ribbon ripple river robin rotten "
    "royal ruby rumour runner saffron salad salmon satin sauce scarlet school scooter season secret senator shadow "
    "shallow shelter shoulder signal silver sister skate sleeve slipper smooth sofa solid spider spinach spring "
    "squirrel stable station stone story stream student sugar summer sunset supper sweater symbol syrup table "
    "tailor talent tariff tavern teacher temple tennis thistle thunder ticket tiger timber tomato topaz torch towel "
    "tractor treasure triangle trumpet tulip turnip turtle twelve twilight twin ultra umbrella uncle under unicorn "
    "unique unit unknown until upper upset urban urgent useful usual valley vanilla vapour velvet venture verb "
    "vessel veteran victory village vinegar violet violin vision visitor voice volcano volume voyage wagon waiter "
    "walnut walrus warm water wealth wedding weekend welcome window winter wisdom wonder wool worker world yacht "
    "yard yeast yesterday yoghurt yolk young zebra zero zigzag zinc zipper "
)
POOL: Final = tuple(_WORDS.split())
"""All words, in alphabetical order."""
