"""Characters that ordinary writing is made of, and how much a text looks like ordinary writing."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import lru_cache

SIMPLIFIED = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方"
    "多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情"
    "明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给"
    "世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太"
    "量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象"
    "完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运笔请款价额费项单号址收付购销售"
    "货户客订签订测试版本更改版序录附录备注姓名称办公司部门员工北京上海广东深圳料需求班周午晚早茶假休息卡密码钥匙第章节条款"
)
TRADITIONAL = frozenset(
    "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方"
    "多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情"
    "明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給"
    "世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太"
    "量再感建務做接必場件計管期市直德資命山金指克許統區保至隊形社便空決治展馬科司五基眼書非則聽白卻界達光放強即像難且權思王象"
    "完設式色路記南品住告類求據程北邊死張該交規萬取拉格望覺術領共確傳師觀清今切院讓識候帶導爭運筆請款價額費項單號址收付購銷售"
    "貨戶客訂簽測試版錄附備註姓稱辦臺灣灣港週午晚早茶假休息卡密碼章節條"
)
KANJI = frozenset(
    "日一国人年大十二本中長出三時行見月分後前生五間上東四今金九入学高円子外八六下来気小七山話女北午百書先名川千水半男西電校語"
    "土木聞食車何南万毎白天母火右読友左休父雨会同事自社発者地業方新場員立開手力問代明動京目通言理体田主題意不作用度強公持野"
    "以思家世多正安院心界教文元重近考画海売知道集別物使品計死特私始朝運終台広住無真有口少町料工建空急止送切転研足究楽起着店"
    "病質待試族銀早映親験英医仕去味写字答夜音注帰古歌買悪図週室歩風紙黒花春赤青館屋色走秋夏習駅洋旅服夕借曜飲肉貸堂鳥飯勉冬"
    "昼茶弟牛魚兄犬妹姉漢議録定例氏部株式会社報告書決資料議事名前年齢住所佐藤鈴木田中高橋渡辺伊藤山本中村小林加藤吉田様御願"
)
HANGUL = frozenset(
    "이다는을의에가고하한은도를지로기서사리나인어자시수정대해스일으것라제만그있전아부과여주상보장들었게구안공적와원동면성국관조"
    "우조유경무니신화분생소되연방선실계계학회식문했민비세업영물개교오내중된할히체모위통요까습각당였없않같위금월년명서울트반행"
)
_PUNCTUATION = frozenset("，。、；：？！（）《》〈〉“”‘’「」『』【】…—－～·　％／＋￥＝＜＞－ー々〇")
_WESTERN_SIGNS = frozenset("’‘“”–—…•€£§©®™°±«»¡¿ªºµ·½¼¾²³×÷ ")
_ALPHABETS = tuple(
    frozenset(letters + letters.upper())
    for letters in (
        "àâæçéèêëîïôœùûüÿ",
        "äöüßé",
        "áéíóúñüïç",
        "áâãàçéêíóôõú",
        "àèéìòù",
        "åäöæøéü",
        "áðéíóúýþæö",
        "áčďéěíňóřšťúůýž",
        "ąćęłńóśźż",
        "áéíóöőúüű",
        "çğıöşüâîİ",
    )
)


@lru_cache(maxsize=8192)
def _level(character: str, encoding: str, last: int) -> int:
    """1 in the everyday part of a national character set, 2 in its rest, 3 outside."""
    try:
        raw = character.encode(encoding)
    except UnicodeEncodeError:
        return 3
    return 1 if len(raw) == 2 and raw[0] <= last else 2


def _graded(character: str, frequent: frozenset[str], encoding: str, last: int) -> float:
    if character in frequent:
        return 1.0
    return (0.6, 0.15, -0.2)[_level(character, encoding, last) - 1]


def _east_asian(character: str, script: str) -> float:
    code = ord(character)
    if character in _PUNCTUATION:
        return 0.9
    if 0xFF01 <= code <= 0xFF5E:
        return 0.5
    if 0x3041 <= code <= 0x30FF:
        return 0.95 if script == "ja" else 0.1
    if 0x4E00 <= code <= 0x9FFF:
        if script == "zh":
            return _graded(character, SIMPLIFIED, "gb2312", 0xD7)
        if script == "tw":
            return _graded(character, TRADITIONAL, "big5", 0xC6)
        if script == "ja":
            return 0.9 * _graded(character, KANJI, "euc_jp", 0xCF)
        return -0.3
    if 0xAC00 <= code <= 0xD7A3:
        return _graded(character, HANGUL, "euc_kr", 0xC8) if script == "ko" else -0.5
    if 0xFF61 <= code <= 0xFF9F:
        return -0.5
    return _anywhere(character)


def _anywhere(character: str) -> float:
    if character == "\N{REPLACEMENT CHARACTER}":
        return -3.0
    category = unicodedata.category(character)
    if category in ("Co", "Cn", "Cs", "Cc"):
        return -1.0
    if category in ("So", "Nl", "No"):
        return 0.3
    return 0.0


def writing(text: str, script: str) -> float:
    """How much the signs beyond ASCII look like writing in this script, at most 1.0; 0.0 where there are none.

    script: zh, tw, ja, ko, or latin.
    """
    if script == "latin":
        return _latin(text)
    counts = Counter(text)
    total = weight = 0.0
    for character, count in counts.items():
        if character > "\x7f":
            total += count
            weight += count * _east_asian(character, script)
    if not total:
        return 0.0
    return weight / total - 0.3 * _mingled(text)


def _mingled(text: str) -> float:
    """The share of ideographs that stand right between two small Latin letters, where no one writes them."""
    seen = wrong = 0
    for before, character, after in zip(text, text[1:], text[2:], strict=False):
        if "\u3400" <= character <= "\ud7a3":
            seen += 1
            wrong += "a" <= before <= "z" and "a" <= after <= "z"
    return wrong / seen if seen else 0.0


def _latin(text: str) -> float:
    total = weight = 0.0
    run = 0
    padded = f" {text} "
    letters: Counter[str] = Counter()
    for index in range(1, len(padded) - 1):
        character = padded[index]
        if character <= "\x7f":
            run = 0
            continue
        total += 1
        run += 1
        before, after = padded[index - 1], padded[index + 1]
        if character.isalpha() and character < "\u0180":
            letters[character] += 1
            weight += _letter(before, character, after, run)
        elif character in _WESTERN_SIGNS:
            weight += 0.7 if not (before.isalpha() and after.isalpha()) or character in "’·" else 0.0
        else:
            weight += _anywhere(character)
    return weight / total - 0.5 * _foreign(letters) if total else 0.0


def _letter(before: str, character: str, after: str, run: int) -> float:
    if run > 2:
        return -0.7
    if character.isupper() and before.islower():
        return -0.3
    if run == 2:
        return 0.3
    return 1.0 if before.isalpha() or after.isalpha() else 0.4


def _foreign(letters: Counter[str]) -> float:
    """The share of the letters that the best fitting language does not have."""
    known = max(sum(count for letter, count in letters.items() if letter in alphabet) for alphabet in _ALPHABETS)
    return 1 - known / letters.total() if letters else 0.0
