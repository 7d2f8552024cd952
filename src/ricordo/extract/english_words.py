"""English words that are capitalised and name nothing, and those that say what a name is."""

from __future__ import annotations

from ricordo.extract.mentions import words

STOP = words("""
    a about above after again against ah all almost along already also although always am an and another any anybody
    anyone anything are aren't as ask at be because been before being below between both bring but by bye call can
    cannot check click come contact could dear did do does don't done down during each either email ensure even every
    everybody everyone everything except few find first following for from further get give go good great had has have
    having he hello hence her here hers hey hi him his hopefully how however i if imagine in indeed instead into is it
    its just keep last later least less let like likewise look make many may maybe me meanwhile meet might mine more
    moreover most much must my nevertheless never next no nobody none nor not note nothing now of off oh ok okay on
    once one only open or other others otherwise our ours out over own p.s perhaps please possibly put read really
    remember remind run save second see send set several shall she should since so some somebody someone something
    sometimes soon sorry start still stop such sure take tell thank thanks that the their theirs them then there
    therefore these they thing things third this those though three through thus to today together tomorrow tonight
    too try turn two under unless until up upon us use very via wait was watch we welcome well were what whatever when
    whenever where whether which while who whoever whom whose why will wish with within without wow write yeah yes
    yesterday yet you your yours yourself ad am bc eg etc faq fyi ie pm asap tbd todo ps
    """)
DATES = words("""
    january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun
    spring summer autumn winter christmas easter am pm utc gmt
    """)
TITLES = words(
    "mr mrs ms miss dr prof professor doctor sir madam president senator judge captain aunt uncle king queen"
)
JOINERS = words("of de van von der den del da di du la le al bin")
ORGANISATIONS = words("""
    inc ltd llc corp corporation company group holdings university college institute institution school academy bank
    hospital clinic foundation association society ministry agency department council committee commission party
    union press laboratory laboratories labs team club museum court church studios airlines motors
    """)
PLACES = words("street road avenue river lake island islands mountain mountains county square park bay")
AFTER_A_SUBJECT = words("""
    is was has had will would can could should must may might said told did and or who whose whom from went came got
    met made took gave saw knew thought found left bought wrote ran held became began kept taught built grew won lost
    sold spoke chose drove ate drank sent read paid felt heard put set never always also often just still really
    recently now already currently
    """)
