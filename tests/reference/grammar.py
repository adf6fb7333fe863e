"""The grammar as a table, and what reads a text by it (chapters 1, 6, 12 and 13 of docs/spec).

A rule is a sequence. `part:rule` reads a part: `rule,` one or more with commas between, `rule,*`
also none, `rule*` as many as stand before the next word. `[ … ]` may be missing; `( … | … )` are
alternatives, which their first words tell apart, else the last. `part:a/b` is one of these words.
All else is a word that stands there, in quotes where it is a sign of this notation. `name = …`
makes a node, `name -> …` a tuple of the parts, or the only one. A rule that is not in the table is
a method of the parser."""
import re

from words import SOMETIMES, Node, ScriptError, holds, refuse_if, tokens

DEEPEST = 300

RULES = """
player     -> name:name [ facing facing:expr ] [ if test:expr ]
team       -> name:name : members:name, ;
valued     -> name:name text:maybe_text
face       -> value:expr [ : weight:number ]
var        =  name:name [ '[' indexes:type, ']' ] [ : type:type ] [ = value:expr ]
shown      -> what:path [ as text:text ]
case       -> top:number [ / under:number ] : test:expr ;
for        =  name:name in value:expr
subset     =  name:name subset of value:expr
let        =  name:name [ : type:type ] = value:expr
if         =  test:expr
option     =  label:label ( => stmt:statement | { options:option* } [ then then:statement ]
              | generator:generator ( then then:statement | ; ) )
chosen     =  label:label ( => stmt:statement | generator:generator )
braces     -> { options:option* }
generator  =  path:path [ '(' args:expr,* ')' ]
symbol     -> letter:text = piece:expr of player:expr
argument   -> prefix:prefix value:expr
entry      -> key:expr : value:expr
property   =  name:name ( ; | value:expr ; )
listing    =  [ sort:includes/excludes ] { texts:text,* } ;
block      =  { stmts:statement* }
call       =  args:expr,* ')' ;
assign     =  value:expr [ shown to viewer:expr ] ;
"""
# In the tables below, the name of a rule is, or stands for, its first word.
EXPRESSIONS = """
list       =  values:expr, ']'
choice     =  test:expr then yes:expr else no:expr
as         =  player:expr : value:expr
filter     =  name:name in value:expr [ if test:expr ] }
aggregate  =  loops:for, [ if test:expr ] : value:expr
"""
DECLARATIONS = """
use        =  names:name, [ only only:name, ] ;
players    =  players:player, ;
teams      =  { teams:team* }
board      =  value:expr [ on place:name ] ;
stacks     =  up to value:expr ;
option     =  name:name ( { values:valued, } = value:expr ;
              | : type:type = value:expr text:maybe_text ; )
enum       =  name:name ( of parts:name, ; | { values:valued, } )
die        =  name:name ( = range:expr ; | { faces:face, } )
piece      =  pieces:valued, ( ; | { items:item* } )
property   =  name:name : type:type [ = value:expr ] ;
let        =  name:name [ '[' params:param, ']' ] [ : type:type ] = value:expr ;
fn         =  name:name '(' params:param,* ')' : type:type ( = value:expr ; | body:block )
proc       =  name:name '(' params:param,* ')' [ : type:type ] body:block
moves      =  name:name [ '(' params:param,* ')' ] options:braces filters:ended_filters
setup      =  body:block
turn       =  body:block
end        =  body:block
on         =  capture '(' param:name ')' body:block
limit      =  value:expr turns stmt:statement
bound      =  name:name = value:expr ;
show       =  shown:shown, ;
hide       =  names:name, ;
test       =  title:text { steps:step* }
"""
ITEMS = """
move       =  how:as/to value:expr quants:quants label:label ( => stmt:statement | ; )
capture    =  to value:expr quants:quants label:label ( => stmt:statement | ; )
at         =  value:expr quants:quants label:label then stmt:statement
or         =  at value:expr quants:quants label:label then stmt:statement
moves      =  options:braces
attacks    =  value:expr ;
after      =  stmt:statement
"""
STATEMENTS = """
if         =  test:expr yes:statement [ else no:statement ]
while      =  test:expr body:statement
for        =  loops:for, body:statement
as         =  player:expr body:statement
put        =  piece:expr of player:expr place:at/on where:expr ;
give       =  where:expr to player:expr ;
remove     =  value:expr ;
capture    =  value:expr ;
next       =  value:expr ;
out        =  value:expr ;
win        =  value:expr ;
lose       =  value:expr ;
again      =  ;
stop       =  ;
draw       =  ;
return     =  ( ; | value:expr ; )
rank       =  name:name by keys:expr, ;
diagram    =  text:text [ where more:symbol, ] ;
lets       =  lets:let, [ shown to viewer:expr ] ;
vars       =  vars:var, [ shown to viewer:expr ] ;
together   =  loops:for, choose choose:choose
"""
STEPS = """
position   =  text:text [ for player:expr ] ( ; | body:block )
after      =  texts:text, ;
play       =  texts:text, ;
do         =  stmt:statement
chance     =  values:expr, ;
set        =  name:name = value:expr ;
fails      =  text:text ;
moves      =  number:number ;
perft      =  depth:number [ decisions:decisions/ ] number:number ;
outcomes   =  { cases:case* }
expect     =  ( moves listing:listing | seen by player:expr listing:listing | value:expr ; )
"""


def sequence(words, ends=()):
    """A rule as a list: (sort, …) of 'word', 'part', 'may' and 'or'. Takes what it reads away."""
    found = []
    while words and words[0] not in ends:
        word = words.pop(0)
        part = re.fullmatch(r"(\w+):([\w/]+)(,?\*?)", word)
        if word in "[(":
            ways = [sequence(words, "|])")]
            while words.pop(0) == "|":
                ways.append(sequence(words, "|])"))
            found.append(("may" if word == "[" else "or", ways))
        else:
            found.append(("part", *part.groups()) if part else ("word", word.strip("'")))
    return found


def parts_of(rule):
    """The parts of a rule, as they are if they are missing."""
    found = {}
    for sort, *rest in rule:
        if sort == "part":
            found[rest[0]] = [] if rest[2] else None
        elif sort != "word":
            for way in rest[0]:
                found |= parts_of(way)
    return found


def table(text):
    """Rules by name: (sort, sequence)."""
    rules = re.findall(r"^(\w+) +(=|->) +(.*(?:\n .*)*)", text, re.MULTILINE)
    return {name: (sort, sequence(rule.split())) for name, sort, rule in rules}


RULES, EXPRESSIONS, DECLARATIONS, ITEMS, STATEMENTS, STEPS = map(
    table, (RULES, EXPRESSIONS, DECLARATIONS, ITEMS, STATEMENTS, STEPS))


class Reader:
    """Reads a text by rules. `at` is the number of the next token."""

    def __init__(self, text):
        self.tokens, self.at, self.depth = tokens(text.removeprefix("\ufeff")), 0, 0

    @property
    def token(self):
        return self.tokens[self.at]

    @property
    def last(self):
        return self.tokens[self.at - 1]

    def ahead(self):
        return self.tokens[min(self.at + 1, len(self.tokens) - 1)]

    def sees(self, *words):
        return self.token.text in words and self.token.kind in ("word", "symbol", "name")

    def take(self, *words):
        found = self.sees(*words)
        self.at += found
        return found

    def need(self, *words):
        if not self.take(*words):
            self.fail("E0112" if words == (";",) and self.token.line > self.last.line else None)
        return self.last.text

    def kind(self, kind):
        """The text of a token of a kind, which must follow."""
        if self.token.kind != kind:
            self.fail()
        self.at += 1
        return self.last.text

    def rule(self, name, rules=None, /, **given):
        """What a rule makes of the text that follows."""
        if rules is None and hasattr(self, name):
            return getattr(self, name)()
        line, (sort, rule) = self.token.line, (rules or RULES)[name]
        self.at += rules not in (None, RULES)
        parts = parts_of(rule)
        self.read(rule, parts)
        if parts.pop("viewer", None):
            refuse_if(not holds([*parts.values()], may_be_chance), "E0615", line)
        if sort == "=":
            return Node(name, line, **{**given, **parts})
        return tuple(parts.values()) if len(parts) > 1 else [*parts.values()][0]

    def read(self, rule, parts):
        for number, (sort, *rest) in enumerate(rule):
            if sort == "word":
                self.need(*rest)
            elif sort == "part":
                value = self.many(*rest[1:], rule[number + 1:])
                parts |= {"module": value[0], "name": value[1]} if rest[0] == "path" else \
                    {rest[0]: value}
            else:
                last = [] if sort == "may" else rest[0][-1]
                self.read(next(filter(self.begins, rest[0]), last), parts)

    def begins(self, rule):
        """Whether a rule can begin here: its first word follows, or its first two."""
        words = [one[1] for one in rule[:2] if one[0] == "word"]
        if rule[0][0] != "word":
            return "/" in rule[0][2] and self.sees(*rule[0][2].split("/"))
        return self.sees(words[0]) and words[1:] in ([], [self.ahead().text])

    def many(self, rule, mark, after):
        if "/" in rule:
            return self.need(*rule.split("/"))
        if mark == "":
            return self.rule(rule)
        found = []
        if mark == ",":
            found.append(self.rule(rule))
        while self.take(",") if mark == "," or found and mark == ",*" else \
                not self.sees(after[0][1]):
            found.append(self.rule(rule))
        return found

    def listed(self, rule):
        return self.many(rule, ",", [])

    # Words with a meaning.

    def is_name(self):
        return self.token.kind == "name" or self.token.kind == "word" and \
            self.token.text in SOMETIMES and self.ahead().kind != "name"

    def name(self):
        if not self.is_name():
            self.fail()
        self.at += 1
        return self.last.text

    def path(self):
        """(module or None, name)"""
        first = self.name()
        if not self.sees(".") or self.ahead().kind not in ("name", "word"):
            return None, first
        self.at += 2
        return first, self.last.text

    def prefix(self):
        if self.token.kind != "name" or self.ahead().text != ":":
            return None
        self.at += 2
        return self.tokens[self.at - 2].text

    def text(self):
        return self.kind("string")

    def maybe_text(self):
        return self.text() if self.token.kind == "string" else None

    def number(self):
        return int(self.kind("number"))

    def nested(self, read, *args):
        """Reads what may stand in itself."""
        self.depth += 1
        refuse_if(self.depth > DEEPEST, "E0110", self.token)
        found = read(*args)
        self.depth -= 1
        return found

    # Mistakes.

    def fail(self, code=None):
        if code is None:
            code = "E0117" if self.token.kind == "word" and \
                self.last.text in ("let", "var", "fn", "proc") else \
                "E0115" if self.sees("=") else "E0111"
            self.check_brackets()
        raise ScriptError(code, self.token.line if code != "E0112" else self.last.line,
                          f"at '{self.token.text}'")

    def check_brackets(self):
        """Says which bracket is to blame for a text that cannot go on here."""
        opened, closing = [], {"(": ")", "[": "]", "{": "}"}
        for token in self.tokens[:self.at]:
            if token.kind == "symbol" and token.text in closing:
                opened.append(token)
            elif token.kind == "symbol" and token.text in closing.values():
                opened.pop()
        if not opened:
            refuse_if(self.sees(*closing.values()), "E0114", self.token)
            return
        wanted = closing[opened[-1].text]
        refuse_if(self.token.kind == "end", "E0113", opened[-1])
        refuse_if(self.sees(";") and wanted != "}", "E0113", self.token)
        refuse_if(self.sees(*closing.values()) and not self.sees(wanted), "E0113", self.token)


def may_be_chance(node):
    """Whether a part of an expression may ask for chance."""
    return node.kind == "callx" or node.kind == "aggregate" and node.op == "random"
