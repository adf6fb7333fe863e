"""The grammar as a table (chapters 1, 6, 12 and 13 of docs/spec).

A rule is a sequence. `part:rule` reads a part: `rule,` one or more with commas between, `rule*` as
many as there are, `rule.` a list of one. `[ … ]` may be missing; of `( … | … )`, the first that
fits counts. `part:a/b` is one of these words, `<rule>` the sequence of another rule. All else is a
word that stands there, in quotes where it is a sign of this notation. `name = …` makes a node,
whose kind is the name before a dot; `name -> …` a tuple of the parts, or the only one. The name of
a section stands for the first of its rules that fits. A rule that is not in the table is a method
of the parser (syntax.py)."""
import re

TABLE = """
file       = [ ferz edition:number ; ] ( sort:game/ title:text | sort:library/ title:name
             | sort:variant/ title:text of bases:text, ) ; decls:declarations*
path       = [ module:name . ] name:name
player     -> name:name [ facing facing:expr ] [ if test:expr ]
team       -> name:name : members:name, ;
valued     -> name:name [ text:text ]
face       -> value:expr [ : weight:number ]
var        = name:name [ '[' indexes:type, ']' ] [ : type:type ] [ = value:expr ]
param      -> name:name : type:type
shown      -> <path> [ as text:text ]
fact       -> name:name text:text ;
known      -> name:name what:part, ;
part       -> name:name [ as as:name ]
case       -> top:number [ / under:number ] : test:expr ;
for        = name:name in value:expr
subset     = name:name subset of value:expr
let        = name:name [ : type:type ] = value:expr
if         = if test:expr
as         = as player:expr
quant      -> ( for it:subset. | for it:for, | let it:let, | it:if. | it:as. )
label      = ( text:text [ shown others:text ] | shown others:text )
reach      = quants:quant* [ label:label ] ( => stmt:statement | ; )
effect     = ( => stmt:statement | { options:option* } [ then then:statement ]
             | generator:generator ( then then:statement | ; ) )
option     = quants:quant* [ label:label ] <effect>
option.one = ( ( quants:subset. | quants:for, | quants:quant. ) quants:quant* [ label:label ]
             <effect> | label:label => stmt:statement )
option.bare = [ label:label ] generator:generator
generator  = <path> [ '(' [ args:expr, ] ')' ]
ends       = ( ; | otherwise otherwise:statement )
filters    = ( ensuring test:expr [ <keeping> ] | <keeping> )
keeping    = keeping ( best:max/ keys:expr, [ up to bounds:expr, ]
             | best:min/ keys:expr, [ down to bounds:expr, ] )
choose     = choose [ by by:expr ] (
             { options:option* } ( filters:filters <ends> | [ otherwise otherwise:statement ] )
             | options:option.bare. [ filters:filters ] <ends>
             | options:option.one. [ otherwise otherwise:statement ] )
symbol     -> letter:text = piece:expr of player:expr
entry      -> key:expr : value:expr
edge       -> site:name [ dir:name ]
line       -> sites:name*
indexes    -> '[' values:expr, ']'
block      = { stmts:statement* }
viewers    = [ shown to viewer:expr ] ;
listing    = [ sort:includes/excludes ] { [ texts:text, ] } ;
[primary]
number     = value:small
graph      = graph { rows:row* }
choice     = if test:expr then yes:expr else no:expr
as         = as player:expr : value:expr
aggregate  = op:any/all/count/sum/max/min/union/first/random loops:for, [ if test:expr ]
             : value:expr
list       = '[' values:expr, ']'
inner      -> '(' value:expr ')'
filter     = { for name:name in value:expr [ if test:expr ] }
set        = { [ values:expr, ] }
table      = { entries:entry, }
callx      = ( <path> | name:max/min/random/rank ) '(' [ args:argument, ] ')'
name       = <path>
[argument]
prefixed   = prefix:name : value:expr
argument   -> value:expr
[row]
edges      = name:name : edges:edge, ;
lines      = way:name back:name : lines:line, ;
[type]
set        = set of member:type
range      = low:bound .. high:bound
name       = <path>
[declaration]
use        = use names:name, [ only only:name, ] ;
when       = when test:expr { yes:declarations* } [ else { no:declarations* } ]
remove     = remove ( names:setup/turn/end/limit/teams/show/view. | on names:capture/.
             | names:name, ) ;
set        = set name:name = value:expr ;
players    = name:players/ players:player, ;
teams      = name:teams/ { teams:team* }
board      = name:board/ value:expr [ on place:name ] ;
stacks     = name:stacks/ up to value:expr ;
option     = option name:name ( { values:valued, } = value:expr ;
             | : type:type = value:expr [ text:text ] ; )
enum       = enum name:name ( of parts:name, ; | { values:valued, } )
die        = die name:name ( = range:expr ; | { faces:face, } )
piece      = piece pieces:valued, ( ; | { items:item* } )
property   = property name:name : type:type [ = value:expr ] ;
let        = let name:name [ '[' params:param, ']' ] [ : type:type ] = value:expr ;
vars       = marks:carried/clock/secret* var vars:var, ;
fn         = fn name:name '(' [ params:param, ] ')' : type:type ( = value:expr ; | body:block )
proc       = proc name:name '(' [ params:param, ] ')' [ : type:type ] body:block
moves      = moves name:name [ '(' [ params:param, ] ')' ] { options:option* }
             [ filters:filters ; ]
phase      = ( name:setup/turn/end | on name:capture/ '(' param:name ')' ) body:block
bound      = limit name:name = value:expr ;
limit      = name:limit/ value:expr turns stmt:statement
show       = name:show/ shown:shown, ;
hide       = hide names:name, ;
test       = test title:text { steps:step* }
info       = info { facts:fact* }
view       = view { views:known* }
extern     = extern fn name:name '(' [ params:param, ] ')' : type:type from file:text
             symbol symbol:text ;
[item]
as         = move as value:expr <reach>
move       = move to value:expr <reach>
capture    = capture to value:expr <reach>
at         = [ more:or/ ] at value:expr quants:quant* [ label:label ] then stmt:statement
moves      = moves { options:option* }
attacks    = attacks value:expr ;
after      = after stmt:statement
base       = name:base/ ;
property   = name:name [ value:expr ] ;
[statement]
block      -> it:block
choose     -> it:choose
together   = together loops:for, choose:choose
if         = if test:expr yes:statement [ else no:statement ]
while      = while test:expr body:statement
for        = for loops:for, body:statement
as         = as player:expr body:statement
effect     = ( name:remove/capture/next/out/win/lose args:expr. | name:again/stop/draw
             | name:give/ args:expr. to args:expr.
             | name:put/ args:expr. of args:expr. at args:expr. ) ;
add        = put args:expr. of args:expr. on args:expr. ;
return     = return [ value:expr ] ;
rank       = rank name:name by keys:expr, ;
diagram    = diagram text:text [ where more:symbol, ] ;
lets       = let lets:let, <viewers>
lets.var   = var vars:var, <viewers>
base       = name:base/ ;
call       = <path> '(' [ args:expr, ] ')' ;
assign     = <path> [ '[' indexes:expr, ']' ] op:=/+=/-=/|=/&= value:expr <viewers>
[step]
position   = position text:text [ for player:expr ] ( ; | body:block )
after      = after texts:text, ;
play       = play texts:text, ;
do         = do stmt:statement
chance     = chance values:expr, ;
set        = set name:name = value:expr ;
fails      = fails text:text ;
moves      = moves number:number ;
perft      = perft depth:number [ decisions:decisions/ ] number:number ;
outcomes   = outcomes { cases:case* }
expect     = expect ( moves listing:listing | seen by player:expr listing:listing | value:expr ; )
"""


def sequence(words):
    """A rule as a list: (sort, …) of 'word', 'part', 'rule' and 'ways'; takes what it reads away.
    Ends before `|`, `]` or `)`."""
    found = []
    while words and words[0] not in "|])":
        word = words.pop(0)
        part = re.fullmatch(r"(\w+):(\S+?)([,*.]?)", word)
        if word in "[(":
            ways = [sequence(words)]
            while words.pop(0) == "|":
                ways.append(sequence(words))
            found.append(("ways", ways + [[]] * (word == "[")))
        elif word[0] == "<" and word[-1] == ">" != word:
            found.append(("rule", word[1:-1]))
        else:
            found.append(("part", *part.groups()) if part else ("word", word.strip("'")))
    return found


def rules(text):
    """Rules by name: (sort, sequence)."""
    found = re.findall(r"^([\w.]+) +(=|->) +(.*(?:\n .*)*)", text, re.MULTILINE)
    return {name: (sort, sequence(rule.split())) for name, sort, rule in found}


RULES, *SECTIONS = re.split(r"^\[(\w+)\]$", TABLE, flags=re.MULTILINE)
RULES = rules(RULES)
SECTIONS = {name: rules(text) for name, text in zip(SECTIONS[::2], SECTIONS[1::2])}


def parts_of(rule):
    """The parts of a rule, as they are if they are missing."""
    found = {}
    for sort, *rest in rule:
        if sort == "part":
            found[rest[0]] = [] if rest[2] else None
        elif sort != "word":
            for way in rest[0] if sort == "ways" else [RULES[rest[0]][1]]:
                found |= parts_of(way)
    return found
