/* The grammar of Ferz: tokens → tree. Actions build nodes and nothing else. parse.c delivers the
 * tokens, recovery.c decides where to go on after an error, syntax_errors.c writes the messages.
 *
 * After an error, the parser gets the token RECOVER, which no text can contain, in place of the
 * rest of the wrong statement, declaration or item. */

%define api.pure full
%define api.prefix {fz_yy}
%define api.token.prefix {FZ_K_}
%define api.location.type {fzi_span}
%define api.value.type union
%define parse.error custom
%define lr.type ielr
%define parse.lac full
%locations
%param {fzi_parser *p}
%expect 0

%code requires {
#include "grammar/syntax/parser.h"
}

%code {
/* The stack has its full size from the start and allocates nothing, so a longjmp out of an action
 * (when the arena runs out of memory) leaks nothing. */
#define YYMAXDEPTH FZ_STACK_DEPTH
#define YYINITDEPTH FZ_STACK_DEPTH
#define YYMALLOC(size) ((void)(size), NULL)
#define YYFREE(memory) ((void)(memory))
enum { FZ_STACK_DEPTH = 4 * FZ_MAX_DEPTH };
/* The newest edition of the language (docs/spec/conformance.md). */
enum { FZ_EDITION = 1 };

/* The span of a construct: from its first part that is not empty to its last part. */
#define YYLLOC_DEFAULT(whole, parts, count) ((whole) = join((parts), (int)(count)))

static fzi_span join(const fzi_span *parts, int count);
static int fz_yylex(FZ_YYSTYPE *value, fzi_span *span, fzi_parser *p);
static void fz_yyerror(const fzi_span *span, fzi_parser *p, const char *message);

/* Short names for the actions. */
#define one_of fzi_list_of
/* make(kind, .field = value, ...): a node for the whole construct. */
#define make(...) make_at(yyloc, __VA_ARGS__)
#define make_at(place, ...) fzi_make(p, place, &(fzi_node){.kind = __VA_ARGS__})
#define NAMED(word, place) .name = (word), .name_span = (place)
#define PATH(word, place) .name = (word), .name_span = fzi_path_end(word, place)
#define TEXT(string, place) .text = (string), .name_span = (place)
#define BINARY(operator, a, b) make(N_E_BINARY, .op = (operator), .left = (a), .right = (b))

static fzi_list declared(fzi_parser *p, fzi_list decls, fzi_span span, int flags);
static fzi_list removed(fzi_list names, fzi_span span);
static fzi_list rows_of_lines(fzi_parser *p, const fzi_node *lines, fzi_node *there,
                              fzi_node *back);
}

/* ---- tokens: reserved words, words with a meaning in one place, the rest ---- */

%token GAME "game" LIBRARY "library" VARIANT "variant" OF "of" USE "use" INFO "info" OPTION "option"
    WHEN "when" ELSE "else" PLAYERS "players" TEAMS "teams" BOARD "board"
    GRAPH "graph" ENUM "enum" DIE "die" PROPERTY "property" PIECE "piece" LET "let"
    CARRIED "carried" CLOCK "clock" SECRET "secret" VAR "var" SHOW "show" VIEW "view" FN "fn"
    MOVES "moves"
    PROC "proc" SETUP "setup" TURN "turn" END "end" ON "on" LIMIT "limit" TEST "test"
    EXTERN "extern" OVERRIDE "override" EXTEND "extend" REMOVE "remove" SET "set" IF "if"
    THEN "then" FOR "for" IN "in" WHILE "while" CHOOSE "choose" BY "by" ENSURING "ensuring"
    KEEPING "keeping" OTHERWISE "otherwise" AS "as" SHOWN "shown" PUT "put" AT "at"
    CAPTURE "capture" GIVE "give" NEXT "next" AGAIN "again" STOP "stop" RETURN "return" WIN "win"
    LOSE "lose" DRAW "draw" OUT "out" RANK "rank" DIAGRAM "diagram" AND "and" OR "or" NOT "not"
    ANY "any" ALL "all" COUNT "count" SUM "sum" MAX "max" MIN "min" UNION "union" FIRST "first"
    RANDOM "random" MOVE "move" ATTACKS "attacks" AFTER "after"

%token <const char *> TO "to" FROM "from" TURNS "turns" SYMBOL "symbol" WHERE "where"
    POSITION "position" PLAY "play" EXPECT "expect" PERFT "perft" DECISIONS "decisions"
    OUTCOMES "outcomes" CHANCE "chance" DO "do" FAILS "fails" UP "up" DOWN "down"
    STACKS "stacks" BASE "base" FACING "facing" SEEN "seen" TOGETHER "together" HIDE "hide"
    SUBSET "subset" ONLY "only" FERZ "ferz" INCLUDES "includes" EXCLUDES "excludes"

%token ARROW "=>" EQ "==" NE "!=" LE "<=" GE ">=" RANGE ".." PLUS_ASSIGN "+=" MINUS_ASSIGN "-="
    OR_ASSIGN "|=" AND_ASSIGN "&=" LPAREN "(" RPAREN ")" LBRACKET "[" RBRACKET "]" LBRACE "{"
    RBRACE "}" LT "<" GT ">" ASSIGN "=" PLUS "+" MINUS "-" TIMES "*" DIVIDE "/" MODULO "%"
    UNITE "|" MEET "&" TILDE "~" HASH "#" COLON ":" SEMICOLON ";" COMMA "," DOT "."

%token <const char *> IDENT "a name"
%token <int64_t> INT "a number"
%token <const char *> STRING "a string"

/* Delivered by parser.c. Bison can recover from an error at FINISH; at YYEOF it would give up. */
%token RECOVER "the end of a mistake" ENTER_FILE "a file" ENTER_SNIPPET "a snippet"
    FINISH "the end of the file"

/* ---- precedence, loosest first ---- */

%precedence LOW /* for `if` without `else` */
%precedence "else" "otherwise"

%precedence BODY /* bodies after `:` and `else` extend as far as possible */
%left "or"
%left "and"
%precedence NEGATION /* `not x`; the word itself stands below, for `x not in S` */
%nonassoc "==" "!=" "<" "<=" ">" ">=" "in" "not"
%nonassoc ".."
%left "|"
%left "&"
%left "+" "-"
%left "*" "/" "%"
%precedence UNARY

%type <const char *> MAX MIN RANDOM RANK name path call_name text_opt limit_name
%type <fzi_node *> file header alone type type_opt param string_node enum_value
    info_entry option_value shown_name hint player team face piece item option ending only group
    ensuring keeping binder bound argument label label_opt generator key edge choose stmt
    block sign outcome test expr primary expr_opt value_opt if_opt else_opt otherwise_opt
    choose_end then_opt by_opt item_end viewers_opt one var local
%type <fzi_list> hints subjects ifs
    decls decl plain names shown_names info_entries enum_values option_values players teams faces
    pieces index_params_opt types types_opt params params_opt param_list items options quants
    quant subset binders lets vars locals filters filters_opt stmts exprs exprs_opt indexes_opt
    strings strings_opt arguments arguments_opt rows row lines stops edges keys tests outcomes
    signs signs_opt first_quant
%type <uint8_t> over assign or_opt move_word move_test seen_test
%type <uint16_t> var_flags put_word decisions_opt
%type <int64_t> weight_opt unnamed

%start start

%%

/* ---- files ---- */

start:
    file decls FINISH
    {
        p->file = $1;
        p->file->decls = $2.first;
        p->file->span = @$;
    }
  ;

file:
    ENTER_FILE edition header   { $$ = $3; }
  | ENTER_SNIPPET               { $$ = make(N_FILE); }
  ;

edition:
    %empty
  | "ferz" INT ";"
    {
        if ($2 != FZ_EDITION)
            fzi_error(p->diags, @2, FZ_E_EDITION, (long long)$2, FZ_EDITION);
    }
  ;

header:
    "game" STRING ";"           { $$ = make(N_FILE, .op = FZ_T_GAME, TEXT($2, @2)); }
  | "library" name ";"          { $$ = make(N_FILE, .op = FZ_T_LIBRARY, TEXT($2, @2)); }
  | "variant" STRING "of" strings ";"
    { $$ = make(N_FILE, .op = FZ_T_VARIANT, TEXT($2, @2), .base = $4.first); }
  | error RECOVER               { yyerrok; $$ = make(N_FILE); }
  ;

decls:
    %empty                      { $$ = (fzi_list){0}; }
  | decls decl                  { $$ = fzi_list_join($1, $2); }
  | decls error RECOVER         { yyerrok; $$ = $1; }
  ;

decl:
    plain                       { $$ = declared(p, $1, @$, 0); }
  | "override" plain            { $$ = declared(p, $2, @$, FZ_NODE_OVERRIDE); }
  | "extend" plain              { $$ = declared(p, $2, @$, FZ_NODE_EXTEND); }
  | "remove" names ";"          { $$ = removed($2, @$); }
  | "remove" unnamed ";"
    { $$ = one_of(make(N_D_REMOVE, .name_span = @2, .number = $2)); }
  | "set" name "=" expr ";"     { $$ = one_of(make(N_D_SET, NAMED($2, @2), .value = $4)); }
  | "use" names ";"             { $$ = one_of(make(N_D_USE, .names = $2.first)); }
  | "use" name "only" names ";"
    { $$ = one_of(make(N_D_USE, .names = make_at(@2, N_NAME, NAMED($2, @2)), .only = $4.first)); }
  | "when" expr "{" decls "}"   { $$ = one_of(make(N_D_WHEN, .condition = $2, .then = $4.first)); }
  | "when" expr "{" decls "}" "else" "{" decls "}"
    { $$ = one_of(make(N_D_WHEN, .condition = $2, .then = $4.first, .otherwise = $8.first)); }
  ;

unnamed:
    "setup"                     { $$ = N_D_SETUP; }
  | "turn"                      { $$ = N_D_TURN; }
  | "end"                       { $$ = N_D_END; }
  | "on" "capture"              { $$ = N_D_ON_CAPTURE; }
  | "limit"                     { $$ = N_D_LIMIT; }
  | "teams"                     { $$ = N_D_TEAMS; }
  | "show"                      { $$ = N_D_SHOW; }
  | "view"                      { $$ = N_D_VIEW; }
  ;

/* ---- declarations ---- */

plain:
    alone                       { $$ = one_of($1); }
  | var_flags "var" vars ";"
    {
        for (fzi_node *var = $3.first; var; var = var->next)
            var->flags = $1;
        $$ = $3;
    }
  | "piece" pieces ";"          { $$ = $2; }
  | "piece" pieces "{" items "}"
    {
        for (fzi_node *piece = $2.first; piece; piece = piece->next)
            fzi_set_items(p, piece, $4.first);
        $2.last->span.end = @$.end;
        $$ = $2;
    }
  ;

alone:
    "info" "{" info_entries "}"  { $$ = make(N_D_INFO, .name_span = @1, .entries = $3.first); }
  | "option" name "{" option_values "}" "=" name ";"
    {
        fzi_node *value = make_at(@7, N_E_NAME, NAMED($7, @7));
        $$ = make(N_D_OPTION, NAMED($2, @2), .values = $4.first, .value = value);
    }
  | "option" name ":" type "=" expr text_opt ";"
    { $$ = make(N_D_OPTION, NAMED($2, @2), .declared_type = $4, .value = $6, .text = $7); }
  | "players" players ";"       { $$ = make(N_D_PLAYERS, .name_span = @1, .players = $2.first); }
  | "teams" "{" teams "}"       { $$ = make(N_D_TEAMS, .name_span = @1, .teams = $3.first); }
  | "board" expr ";"            { $$ = make(N_D_BOARD, .name_span = @1, .board = $2); }
  | "board" expr "on" name ";"  { $$ = make(N_D_BOARD, NAMED($4, @4), .board = $2); }
  | "stacks" "up" "to" expr ";"  { $$ = make(N_D_STACKS, .name_span = @1, .high = $4); }
  | "enum" name "{" enum_values "}"  { $$ = make(N_D_ENUM, NAMED($2, @2), .values = $4.first); }
  | "enum" name "of" names ";"  { $$ = make(N_D_ENUM, NAMED($2, @2), .parts = $4.first); }
  | "die" name "=" expr ";"     { $$ = make(N_D_DIE, NAMED($2, @2), .range = $4); }
  | "die" name "{" faces "}"    { $$ = make(N_D_DIE, NAMED($2, @2), .faces = $4.first); }
  | "property" name ":" type value_opt ";"
    { $$ = make(N_D_PROPERTY, NAMED($2, @2), .declared_type = $4, .value = $5); }
  | "let" name index_params_opt type_opt "=" expr ";"
    { $$ = make(N_D_LET, NAMED($2, @2), .params = $3.first, .declared_type = $4, .value = $6); }
  | "show" shown_names ";"      { $$ = make(N_D_SHOW, .name_span = @1, .names = $2.first); }
  | "hide" names ";"            { $$ = make(N_D_HIDE, .name_span = @1, .names = $2.first); }
  | "view" "{" hints "}"        { $$ = make(N_D_VIEW, .name_span = @1, .entries = $3.first); }
  | "fn" name params ":" type "=" expr ";"
    { $$ = make(N_D_FN, NAMED($2, @2), .params = $3.first, .result_type = $5, .value = $7); }
  | "fn" name params ":" type block
    { $$ = make(N_D_FN, NAMED($2, @2), .params = $3.first, .result_type = $5, .body = $6); }
  | "moves" name params_opt "{" options "}"
    { $$ = make(N_D_MOVES, NAMED($2, @2), .params = $3.first, .options = $5.first); }
  | "moves" name params_opt "{" options "}" filters ";"
    { $$ = make(N_D_MOVES, NAMED($2, @2), .params = $3.first, .options = $5.first,
                .filters = $7.first); }
  | "proc" name params type_opt block
    { $$ = make(N_D_PROC, NAMED($2, @2), .params = $3.first, .result_type = $4, .body = $5); }
  | "setup" block               { $$ = make(N_D_SETUP, .name_span = @1, .body = $2); }
  | "turn" block                { $$ = make(N_D_TURN, .name_span = @1, .body = $2); }
  | "end" block                 { $$ = make(N_D_END, .name_span = @1, .body = $2); }
  | "on" "capture" "(" name ")" block  { $$ = make(N_D_ON_CAPTURE, NAMED($4, @4), .body = $6); }
  | "limit" expr "turns" stmt   { $$ = make(N_D_LIMIT, .name_span = @1, .turns = $2, .body = $4); }
  | "limit" limit_name "=" expr ";"
    {
        fzi_node *limit = make_at(@2, N_NAME, NAMED($2, @2));
        $$ = make(N_D_BOUND, .name_span = @1, .names = limit, .value = $4);
    }
  | "test" STRING "{" tests "}"  { $$ = make(N_D_TEST, TEXT($2, @2), .steps = $4.first); }
  | "extern" "fn" name params ":" type "from" string_node "symbol" string_node ";"
    { $$ = make(N_D_EXTERN, NAMED($3, @3), .params = $4.first, .result_type = $6, .library = $8,
                .native_symbol = $10); }
  ;

limit_name:
    IDENT
  | "moves"                     { $$ = "moves"; }
  | "decisions"
  ;

vars:
    var                         { $$ = one_of($1); }
  | vars "," var                { $$ = fzi_list_add($1, $3); }
  ;

var:
    name types_opt type_opt value_opt
    { $$ = make(N_D_VAR, NAMED($1, @1), .index_types = $2.first, .declared_type = $3,
                .value = $4); }
  ;

shown_names:
    shown_name                  { $$ = one_of($1); }
  | shown_names "," shown_name  { $$ = fzi_list_add($1, $3); }
  ;

shown_name:
    path                        { $$ = make(N_NAME, PATH($1, @1)); }
  | path "as" STRING            { $$ = make(N_NAME, PATH($1, @1), .text = $3); }
  ;

hints:
    %empty                      { $$ = (fzi_list){0}; }
  | hints hint                  { $$ = fzi_list_add($1, $2); }
  | hints error RECOVER         { yyerrok; $$ = $1; }
  ;

hint:
    name subjects ";"           { $$ = make(N_HINT, NAMED($1, @1), .entries = $2.first); }
  ;

subjects:
    names                       { $$ = one_of(make(N_SUBJECTS, .names = $1.first)); }
  | names "as" name             { $$ = one_of(make(N_SUBJECTS, NAMED($3, @3), .names = $1.first)); }
  | names "as" name "," subjects
    { $$ = fzi_list_join(one_of(make_at(@1, N_SUBJECTS, NAMED($3, @3), .names = $1.first)), $5); }
  ;

info_entries:
    %empty                      { $$ = (fzi_list){0}; }
  | info_entries info_entry     { $$ = fzi_list_add($1, $2); }
  | info_entries error RECOVER  { yyerrok; $$ = $1; }
  ;

info_entry:
    name STRING ";"             { $$ = make(N_INFO, NAMED($1, @1), .text = $2); }
  ;

enum_values:
    enum_value                  { $$ = one_of($1); }
  | enum_values "," enum_value  { $$ = fzi_list_add($1, $3); }
  ;

enum_value:
    name text_opt               { $$ = make_at(@1, N_NAME, NAMED($1, @1), .text = $2); }
  ;

option_values:
    option_value                { $$ = one_of($1); }
  | option_values "," option_value  { $$ = fzi_list_add($1, $3); }
  ;

option_value:
    name text_opt
    {
        $$ = make(N_OPTION_VALUE, NAMED($1, @1), .text = $2);
        fzi_attach_doc(p, @$, $$);
    }
  ;

players:
    player                      { $$ = one_of($1); }
  | players "," player          { $$ = fzi_list_add($1, $3); }
  ;

player:
    name if_opt                 { $$ = make(N_PLAYER, NAMED($1, @1), .condition = $2); }
  | name "facing" expr if_opt
    { $$ = make(N_PLAYER, NAMED($1, @1), .facing = $3, .condition = $4); }
  ;

teams:
    %empty                      { $$ = (fzi_list){0}; }
  | teams team                  { $$ = fzi_list_add($1, $2); }
  | teams error RECOVER         { yyerrok; $$ = $1; }
  ;

team:
    name ":" names ";"          { $$ = make(N_TEAM, NAMED($1, @1), .members = $3.first); }
  ;

faces:
    face                        { $$ = one_of($1); }
  | faces "," face              { $$ = fzi_list_add($1, $3); }
  ;

face:
    expr weight_opt             { $$ = make(N_FACE, .value = $1, .number = $2); }
  ;

weight_opt:
    %empty                      { $$ = 1; }
  | ":" INT                     { $$ = fzi_small_number(p, @2, $2); }
  ;

pieces:
    piece                       { $$ = one_of($1); }
  | pieces "," piece            { $$ = fzi_list_add($1, $3); }
  ;

piece:
    name text_opt               { $$ = make(N_D_PIECE, NAMED($1, @1), .text = $2); }
  ;

index_params_opt:
    %empty                      { $$ = (fzi_list){0}; }
  | "[" param_list "]"          { $$ = $2; }
  ;

params_opt:
    %empty                      { $$ = (fzi_list){0}; }
  | params                      { $$ = $1; }
  ;

params:
    "(" ")"                     { $$ = (fzi_list){0}; }
  | "(" param_list ")"          { $$ = $2; }
  ;

param_list:
    param                       { $$ = one_of($1); }
  | param_list "," param        { $$ = fzi_list_add($1, $3); }
  ;

param:
    name ":" type               { $$ = make(N_PARAM, NAMED($1, @1), .declared_type = $3); }
  ;

types_opt:
    %empty                      { $$ = (fzi_list){0}; }
  | "[" types "]"               { $$ = $2; }
  ;

types:
    type                        { $$ = one_of($1); }
  | types "," type              { $$ = fzi_list_add($1, $3); }
  ;

type_opt:
    %empty                      { $$ = NULL; }
  | ":" type                    { $$ = $2; }
  ;

type:
    path                        { $$ = make(N_T_NAME, PATH($1, @1)); }
  | "set" "of" type             { $$ = make(N_T_SET, .declared_type = $3); }
  | expr ".." expr              { $$ = make(N_T_RANGE, .low = $1, .high = $3); }
  ;

value_opt:
    %empty                      { $$ = NULL; }
  | "=" expr                    { $$ = $2; }
  ;

text_opt:
    %empty                      { $$ = NULL; }
  | STRING                      { $$ = $1; }
  ;

var_flags:
    %empty                      { $$ = 0; }
  | var_flags "carried"         { $$ = $1 | FZ_NODE_CARRIED; }
  | var_flags "clock"           { $$ = $1 | FZ_NODE_CLOCK; }
  | var_flags "secret"          { $$ = $1 | FZ_NODE_SECRET; }
  ;

/* ---- pieces ---- */

items:
    %empty                      { $$ = (fzi_list){0}; }
  | items item                  { fzi_attach_doc(p, @2, $2); $$ = fzi_list_add($1, $2); }
  | items error RECOVER         { yyerrok; $$ = $1; }
  ;

item:
    move_word "to" expr quants label_opt item_end
    { $$ = make(N_I_MOVE, .op = $1, .targets = $3, .quants = $4.first, .label = $5, .effect = $6); }
  | "move" "as" expr ifs ";"    { $$ = make(N_I_AS, .value = $3, .quants = $4.first); }
  | "moves" "{" options "}"     { $$ = make(N_I_MOVES, .options = $3.first); }
  | "attacks" expr ";"          { $$ = make(N_I_ATTACKS, .targets = $2); }
  | or_opt "at" expr quants label_opt "then" stmt
    { $$ = make(N_I_AT, .op = $1, .targets = $3, .quants = $4.first, .label = $5, .effect = $7); }
  | "after" stmt                { $$ = make(N_I_AFTER, .effect = $2); }
  | "base" ";"                  { $$ = make(N_I_BASE, .name_span = @1); }
  | name expr ";"               { $$ = make(N_I_PROPERTY, NAMED($1, @1), .value = $2); }
  ;

ifs:
    %empty                      { $$ = (fzi_list){0}; }
  | ifs "if" expr               { $$ = fzi_list_add($1, make(N_Q_IF, .condition = $3)); }
  ;

or_opt:
    %empty                      { $$ = FZ_T_NONE; }
  | "or"                        { $$ = FZ_T_OR; }
  ;

move_word:
    "move"                      { $$ = FZ_T_MOVE; }
  | "capture"                   { $$ = FZ_T_CAPTURE; }
  ;

item_end:
    ";"                         { $$ = NULL; }
  | "=>" stmt                   { $$ = $2; }
  ;

/* ---- options and decisions ---- */

options:
    %empty                      { $$ = (fzi_list){0}; }
  | options option              { $$ = fzi_list_add($1, $2); }
  | options error RECOVER       { yyerrok; $$ = $1; }
  ;

option:
    quants label_opt ending
    { $$ = make(N_OPTION, .quants = $1.first, .label = $2, .effect = $3->effect,
                .then_effect = $3->then_effect); }
  | quants label_opt group then_opt
    { $$ = make(N_OPTION, .quants = $1.first, .label = $2, .effect = $3, .then_effect = $4); }
  ;

/* An option without its beginning. */
ending:
    "=>" stmt                   { $$ = make(N_OPTION, .effect = $2); }
  | generator ";"               { $$ = make(N_OPTION, .effect = $1); }
  | generator "then" stmt       { $$ = make(N_OPTION, .effect = $1, .then_effect = $3); }
  ;

group:
    "{" options "}"             { $$ = make(N_GROUP, .options = $2.first); }
  ;

then_opt:
    %empty                      { $$ = NULL; }
  | "then" stmt                 { $$ = $2; }
  ;

quants:
    %empty                      { $$ = (fzi_list){0}; }
  | quants quant                { $$ = fzi_list_join($1, $2); }
  ;

quant:
    "for" binders               { $$ = one_of(make(N_Q_FOR, .binders = $2.first)); }
  | "for" subset                { $$ = $2; }
  | "let" lets                  { $$ = one_of(make(N_Q_LET, .bindings = $2.first)); }
  | "if" expr                   { $$ = one_of(make(N_Q_IF, .condition = $2)); }
  | "as" expr                   { $$ = one_of(make(N_Q_AS, .player = $2)); }
  ;

subset:
    name "subset" "of" expr     { $$ = fzi_make_subset(p, @$, $1, @1, $4); }
  ;

binders:
    binder                      { $$ = one_of($1); }
  | binders "," binder          { $$ = fzi_list_add($1, $3); }
  ;

binder:
    name "in" expr              { $$ = make(N_BINDER, NAMED($1, @1), .set = $3); }
  ;

lets:
    bound                       { $$ = one_of($1); }
  | lets "," bound              { $$ = fzi_list_add($1, $3); }
  ;

bound:
    name type_opt "=" expr
    { $$ = make(N_BOUND, NAMED($1, @1), .declared_type = $2, .value = $4); }
  ;

label_opt:
    %empty                      { $$ = NULL; }
  | label                       { $$ = $1; }
  ;

label:
    STRING                      { $$ = make(N_LABEL, TEXT($1, @1)); }
  | STRING "shown" string_node  { $$ = make(N_LABEL, TEXT($1, @1), .shown = $3); }
  | "shown" string_node         { $$ = make(N_LABEL, .shown = $2); }
  ;

generator:
    path                        { $$ = make(N_GENERATOR, PATH($1, @1)); }
  | path "(" exprs_opt ")"      { $$ = make(N_GENERATOR, PATH($1, @1), .arguments = $3.first); }
  ;

filters_opt:
    %empty                      { $$ = (fzi_list){0}; }
  | filters
  ;

filters:
    ensuring                    { $$ = one_of($1); }
  | keeping                     { $$ = one_of($1); }
  | ensuring keeping            { $$ = fzi_list_add(one_of($1), $2); }
  ;

ensuring:
    "ensuring" expr             { $$ = make(N_FILTER, .op = FZ_T_ENSURING, .condition = $2); }
  ;

keeping:
    "keeping" "max" exprs       { $$ = make(N_FILTER, .op = FZ_T_MAX, .keys = $3.first); }
  | "keeping" "max" exprs "up" "to" exprs
    { $$ = make(N_FILTER, .op = FZ_T_MAX, .keys = $3.first, .limits = $6.first); }
  | "keeping" "min" exprs       { $$ = make(N_FILTER, .op = FZ_T_MIN, .keys = $3.first); }
  | "keeping" "min" exprs "down" "to" exprs
    { $$ = make(N_FILTER, .op = FZ_T_MIN, .keys = $3.first, .limits = $6.first); }
  ;

choose:
    "choose" by_opt one otherwise_opt
    { $$ = make(N_S_CHOOSE, .player = $2, .options = $3, .otherwise = $4); }
  | "choose" by_opt only filters_opt choose_end
    { $$ = make(N_S_CHOOSE, .player = $2, .options = $3, .filters = $4.first, .otherwise = $5); }
  | "choose" by_opt "{" options "}" otherwise_opt
    { $$ = make(N_S_CHOOSE, .player = $2, .options = $4.first, .otherwise = $6); }
  | "choose" by_opt "{" options "}" filters choose_end
    { $$ = make(N_S_CHOOSE, .player = $2, .options = $4.first, .filters = $6.first,
                .otherwise = $7); }
  ;

choose_end:
    ";"                         { $$ = NULL; }
  | "otherwise" stmt            { $$ = $2; }
  ;

/* `choose` with a single option, whose `for` may be left out. */
one:
    first_quant quants label_opt ending
    {
        fzi_list quants = fzi_list_join($1, $2);
        $$ = make(N_OPTION, .quants = quants.first, .label = $3, .effect = $4->effect,
                  .then_effect = $4->then_effect);
    }
  | first_quant quants label_opt group then_opt
    {
        fzi_list quants = fzi_list_join($1, $2);
        $$ = make(N_OPTION, .quants = quants.first, .label = $3, .effect = $4, .then_effect = $5);
    }
  | label "=>" stmt             { $$ = make(N_OPTION, .label = $1, .effect = $3); }
  ;

/* A generator, the only option of a `choose`. */
only:
    generator                   { $$ = make(N_OPTION, .effect = $1); }
  | label generator             { $$ = make(N_OPTION, .label = $1, .effect = $2); }
  ;

first_quant:
    binders                     { $$ = one_of(make(N_Q_FOR, .binders = $1.first)); }
  | subset
  | quant
  ;

by_opt:
    %empty                      { $$ = NULL; }
  | "by" expr                   { $$ = $2; }
  ;

otherwise_opt:
    %empty %prec LOW            { $$ = NULL; }
  | "otherwise" stmt            { $$ = $2; }
  ;

/* ---- statements ---- */

block:
    "{" stmts "}"               { $$ = make(N_S_BLOCK, .stmts = $2.first); }
  ;

stmts:
    %empty                      { $$ = (fzi_list){0}; }
  | stmts stmt                  { $$ = fzi_list_add($1, $2); }
  | stmts "var" local "," locals viewers_opt ";"
    {
        fzi_list vars = fzi_list_join(one_of($3), $5);
        for (fzi_node *var = vars.first; var; var = var->next)
            var->viewers = $6;
        $$ = fzi_list_join($1, vars);
    }
  | stmts error RECOVER         { yyerrok; $$ = $1; }
  ;

stmt:
    block
  | choose
  | path indexes_opt assign expr viewers_opt ";"
    { $$ = make(N_S_ASSIGN, PATH($1, @1), .op = $3, .indexes = $2.first, .value = $4,
                .viewers = $5); }
  | path "(" exprs_opt ")" ";"  { $$ = make(N_S_CALL, PATH($1, @1), .arguments = $3.first); }
  | "base" ";"                  { $$ = make(N_S_CALL, NAMED($1, @1), .flags = FZ_NODE_BARE); }
  | "let" lets viewers_opt ";"  { $$ = make(N_S_LET, .bindings = $2.first, .viewers = $3); }
  | "var" local viewers_opt ";"  { $$ = $2; $$->span = @$; $$->viewers = $3; }
  | "if" expr stmt else_opt     { $$ = make(N_S_IF, .condition = $2, .then = $3, .otherwise = $4); }
  | "for" binders stmt          { $$ = make(N_S_FOR, .binders = $2.first, .body = $3); }
  | "together" binders choose   { $$ = make(N_S_TOGETHER, .binders = $2.first, .body = $3); }
  | "while" expr stmt           { $$ = make(N_S_WHILE, .condition = $2, .body = $3); }
  | "as" expr stmt              { $$ = make(N_S_AS, .player = $2, .body = $3); }
  | "put" expr "of" expr put_word expr ";"
    { $$ = make(N_S_PUT, .piece = $2, .owner = $4, .sites = $6, .flags = $5); }
  | "give" expr "to" expr ";"   { $$ = make(N_S_GIVE, .sites = $2, .owner = $4); }
  | "remove" expr ";"           { $$ = make(N_S_REMOVE, .sites = $2); }
  | "capture" expr ";"          { $$ = make(N_S_CAPTURE, .sites = $2); }
  | "next" expr ";"             { $$ = make(N_S_NEXT, .player = $2); }
  | "again" ";"                 { $$ = make(N_S_AGAIN); }
  | "stop" ";"                  { $$ = make(N_S_STOP); }
  | "return" expr_opt ";"       { $$ = make(N_S_RETURN, .value = $2); }
  | "win" expr ";"              { $$ = make(N_S_WIN, .player = $2); }
  | "lose" expr ";"             { $$ = make(N_S_LOSE, .player = $2); }
  | "out" expr ";"              { $$ = make(N_S_OUT, .player = $2); }
  | "draw" ";"                  { $$ = make(N_S_DRAW); }
  | "rank" name "by" exprs ";"  { $$ = make(N_S_RANK, NAMED($2, @2), .keys = $4.first); }
  | "diagram" STRING signs_opt ";"  { $$ = make(N_S_DIAGRAM, TEXT($2, @2), .signs = $3.first); }
  ;

local:
    name type_opt value_opt
    { $$ = make(N_S_VAR, NAMED($1, @1), .declared_type = $2, .value = $3); }
  ;

locals:
    local                       { $$ = one_of($1); }
  | locals "," local            { $$ = fzi_list_add($1, $3); }
  ;

put_word:
    "at"                        { $$ = 0; }
  | "on"                        { $$ = FZ_NODE_ON_TOP; }
  ;

/* The players that see the results of chance in the value. */
viewers_opt:
    %empty                      { $$ = NULL; }
  | "shown" "to" expr           { $$ = $3; }
  ;

assign:
    "="                         { $$ = FZ_T_ASSIGN; }
  | "+="                        { $$ = FZ_T_PLUS_ASSIGN; }
  | "-="                        { $$ = FZ_T_MINUS_ASSIGN; }
  | "|="                        { $$ = FZ_T_OR_ASSIGN; }
  | "&="                        { $$ = FZ_T_AND_ASSIGN; }
  ;

else_opt:
    %empty %prec LOW            { $$ = NULL; }
  | "else" stmt                 { $$ = $2; }
  ;

signs_opt:
    %empty                      { $$ = (fzi_list){0}; }
  | "where" signs               { $$ = $2; }
  ;

signs:
    sign                        { $$ = one_of($1); }
  | signs "," sign              { $$ = fzi_list_add($1, $3); }
  ;

sign:
    STRING "=" expr "of" expr   { $$ = make(N_SIGN, TEXT($1, @1), .piece = $3, .owner = $5); }
  ;

/* ---- expressions ---- */

expr:
    primary
  | expr "or" expr              { $$ = BINARY(FZ_T_OR, $1, $3); }
  | expr "and" expr             { $$ = BINARY(FZ_T_AND, $1, $3); }
  | "not" expr %prec NEGATION   { $$ = make(N_E_UNARY, .op = FZ_T_NOT, .operand = $2); }
  | expr "==" expr              { $$ = BINARY(FZ_T_EQ, $1, $3); }
  | expr "!=" expr              { $$ = BINARY(FZ_T_NE, $1, $3); }
  | expr "<" expr               { $$ = BINARY(FZ_T_LT, $1, $3); }
  | expr "<=" expr              { $$ = BINARY(FZ_T_LE, $1, $3); }
  | expr ">" expr               { $$ = BINARY(FZ_T_GT, $1, $3); }
  | expr ">=" expr              { $$ = BINARY(FZ_T_GE, $1, $3); }
  | expr "in" expr              { $$ = BINARY(FZ_T_IN, $1, $3); }
  | expr "not" "in" expr
    { $$ = make(N_E_UNARY, .op = FZ_T_NOT, .operand = BINARY(FZ_T_IN, $1, $4)); }
  | expr ".." expr              { $$ = BINARY(FZ_T_RANGE, $1, $3); }
  | expr "|" expr               { $$ = BINARY(FZ_T_UNITE, $1, $3); }
  | expr "&" expr               { $$ = BINARY(FZ_T_MEET, $1, $3); }
  | expr "+" expr               { $$ = BINARY(FZ_T_PLUS, $1, $3); }
  | expr "-" expr               { $$ = BINARY(FZ_T_MINUS, $1, $3); }
  | expr "*" expr               { $$ = BINARY(FZ_T_TIMES, $1, $3); }
  | expr "/" expr               { $$ = BINARY(FZ_T_DIVIDE, $1, $3); }
  | expr "%" expr               { $$ = BINARY(FZ_T_MODULO, $1, $3); }
  | "-" expr %prec UNARY        { $$ = make(N_E_UNARY, .op = FZ_T_MINUS, .operand = $2); }
  | "~" expr %prec UNARY        { $$ = make(N_E_UNARY, .op = FZ_T_TILDE, .operand = $2); }
  | "#" expr %prec UNARY        { $$ = make(N_E_UNARY, .op = FZ_T_HASH, .operand = $2); }
  | "if" expr "then" expr "else" expr %prec BODY
    { $$ = make(N_E_IF, .condition = $2, .then = $4, .otherwise = $6); }
  | over binders if_opt ":" expr %prec BODY
    { $$ = make(N_E_OVER, .op = $1, .binders = $2.first, .condition = $3, .body = $5); }
  | "as" expr ":" expr %prec BODY  { $$ = make(N_E_AS, .player = $2, .body = $4); }
  ;

over:
    "any"                       { $$ = FZ_T_ANY; }
  | "all"                       { $$ = FZ_T_ALL; }
  | "count"                     { $$ = FZ_T_COUNT; }
  | "sum"                       { $$ = FZ_T_SUM; }
  | "max"                       { $$ = FZ_T_MAX; }
  | "min"                       { $$ = FZ_T_MIN; }
  | "union"                     { $$ = FZ_T_UNION; }
  | "first"                     { $$ = FZ_T_FIRST; }
  | "random"                    { $$ = FZ_T_RANDOM; }
  ;

primary:
    INT                         { $$ = make(N_E_INT, .number = fzi_small_number(p, @1, $1)); }
  | path                        { $$ = fzi_make_name(p, $1, @1); }
  | primary "[" exprs "]"       { $$ = make(N_E_INDEX, .primary = $1, .indexes = $3.first); }
  | call_name "(" arguments_opt ")"  { $$ = make(N_E_CALL, PATH($1, @1), .arguments = $3.first); }
  | "(" expr ")"                { $$ = $2; $$->span = @$; }
  | "{" exprs_opt "}"           { $$ = make(N_E_SET, .members = $2.first); }
  | "{" "for" name "in" expr if_opt "}"
    { $$ = make(N_E_SET_FOR, NAMED($3, @3), .set = $5, .condition = $6); }
  | "{" keys "}"                { $$ = make(N_E_KEYS, .entries = $2.first); }
  | "[" exprs "]"               { $$ = make(N_E_LIST, .entries = $2.first); }
  | "graph" "{" rows "}"        { $$ = make(N_E_GRAPH, .rows = $3.first); }
  ;

arguments_opt:
    %empty                      { $$ = (fzi_list){0}; }
  | arguments
  ;

arguments:
    argument                    { $$ = one_of($1); }
  | arguments "," argument      { $$ = fzi_list_add($1, $3); }
  ;

argument:
    expr
  | name ":" expr               { $$ = make(N_PART, NAMED($1, @1), .value = $3); }
  ;

call_name:
    path
  | "max" | "min" | "random" | "rank"
  ;

if_opt:
    %empty                      { $$ = NULL; }
  | "if" expr                   { $$ = $2; }
  ;

keys:
    key                         { $$ = one_of($1); }
  | keys "," key                { $$ = fzi_list_add($1, $3); }
  ;

key:
    expr ":" expr               { $$ = make(N_KEY, .key = $1, .value = $3); }
  ;

rows:
    row
  | rows row                    { $$ = fzi_list_join($1, $2); }
  | rows error RECOVER          { yyerrok; $$ = $1; }
  ;

row:
    name ":" edges ";"      { $$ = one_of(make(N_ROW, NAMED($1, @1), .edges = $3.first)); }
  | name name ":" lines ";"
    {
        fzi_node *there = make_at(@1, N_NAME, NAMED($1, @1));
        $$ = rows_of_lines(p, $4.first, there, make_at(@2, N_NAME, NAMED($2, @2)));
    }
  ;

lines:
    stops                       { $$ = one_of(make(N_ROW, .edges = $1.first)); }
  | lines "," stops             { $$ = fzi_list_add($1, make_at(@3, N_ROW, .edges = $3.first)); }
  ;

stops:
    name                        { $$ = one_of(make(N_EDGE, NAMED($1, @1))); }
  | stops name                  { $$ = fzi_list_add($1, make_at(@2, N_EDGE, NAMED($2, @2))); }
  ;

edges:
    edge                        { $$ = one_of($1); }
  | edges "," edge              { $$ = fzi_list_add($1, $3); }
  ;

edge:
    name                        { $$ = make(N_EDGE, NAMED($1, @1)); }
  | name name
    {
        fzi_node *direction = make_at(@2, N_NAME, NAMED($2, @2));
        $$ = make(N_EDGE, NAMED($1, @1), .direction = direction);
    }
  ;

/* ---- tests ---- */

tests:
    %empty                      { $$ = (fzi_list){0}; }
  | tests test                  { $$ = fzi_list_add($1, $2); }
  | tests error RECOVER         { yyerrok; $$ = $1; }
  ;

test:
    "position" STRING ";"       { $$ = make(N_X_POSITION, TEXT($2, @2)); }
  | "position" STRING block     { $$ = make(N_X_POSITION, TEXT($2, @2), .body = $3); }
  | "position" STRING "for" expr ";"  { $$ = make(N_X_POSITION, TEXT($2, @2), .player = $4); }
  | "position" STRING "for" expr block
    { $$ = make(N_X_POSITION, TEXT($2, @2), .player = $4, .body = $5); }
  | "after" strings ";"         { $$ = make(N_X_AFTER, .moves = $2.first); }
  | "play" strings ";"          { $$ = make(N_X_PLAY, .moves = $2.first); }
  | "do" stmt                   { $$ = make(N_X_DO, .body = $2); }
  | "chance" exprs ";"          { $$ = make(N_X_CHANCE, .values = $2.first); }
  | "set" name "=" expr ";"     { $$ = make(N_X_SET, NAMED($2, @2), .value = $4); }
  | "expect" expr ";"           { $$ = make(N_X_EXPECT, .condition = $2); }
  | "expect" "moves" move_test "{" strings_opt "}" ";"
    { $$ = make(N_X_EXPECT_MOVES, .op = $3, .moves = $5.first); }
  | "expect" "seen" "by" expr seen_test "{" strings_opt "}" ";"
    { $$ = make(N_X_EXPECT_SEEN, .op = $5, .owner = $4, .moves = $7.first); }
  | "moves" INT ";"             { $$ = make(N_X_MOVES, .number = $2); }
  | "perft" INT decisions_opt INT ";"
    {
        fzi_node *depth = make_at(@2, N_E_INT, .number = fzi_small_number(p, @2, $2));
        $$ = make(N_X_PERFT, .depth = depth, .number = $4, .flags = $3);
    }
  | "outcomes" "{" outcomes "}"  { $$ = make(N_X_OUTCOMES, .outcomes = $3.first); }
  | "fails" STRING ";"          { $$ = make(N_X_FAILS, TEXT($2, @2)); }
  ;

move_test:
    %empty                      { $$ = FZ_T_ASSIGN; }
  | seen_test
  ;

seen_test:
    "includes"                  { $$ = FZ_T_INCLUDES; }
  | "excludes"                  { $$ = FZ_T_EXCLUDES; }
  ;

decisions_opt:
    %empty                      { $$ = 0; }
  | "decisions"                 { $$ = FZ_NODE_DECISIONS; }
  ;

outcomes:
    %empty                      { $$ = (fzi_list){0}; }
  | outcomes outcome            { $$ = fzi_list_add($1, $2); }
  | outcomes error RECOVER      { yyerrok; $$ = $1; }
  ;

outcome:
    INT ":" expr ";"            { $$ = make(N_OUTCOME, .number = $1, .condition = $3); }
  | INT "/" INT ":" expr ";"
    {
        fzi_node *whole = make_at(@3, N_E_INT, .number = $3);
        $$ = make(N_OUTCOME, .number = $1, .denominator = whole, .condition = $5);
    }
  ;

/* ---- words and lists ---- */

name:
    IDENT
  | "to" | "from" | "turns" | "symbol" | "where" | "position" | "play" | "expect" | "perft"
  | "decisions" | "outcomes" | "chance" | "do" | "fails" | "base" | "facing" | "up" | "down"
  | "seen" | "stacks" | "together" | "includes" | "hide" | "subset" | "only" | "excludes" | "ferz"
  ;

/* A name, or `module.name`. */
path:
    name
  | name "." name               { $$ = fzi_make_path(p, $1, $3); }
  ;

names:
    name                        { $$ = one_of(make(N_NAME, NAMED($1, @1))); }
  | names "," name              { $$ = fzi_list_add($1, make_at(@3, N_NAME, NAMED($3, @3))); }
  ;

string_node:
    STRING                      { $$ = make(N_E_STRING, TEXT($1, @1)); }
  ;

strings:
    string_node                 { $$ = one_of($1); }
  | strings "," string_node     { $$ = fzi_list_add($1, $3); }
  ;

strings_opt:
    %empty                      { $$ = (fzi_list){0}; }
  | strings
  ;

exprs:
    expr                        { $$ = one_of($1); }
  | exprs "," expr              { $$ = fzi_list_add($1, $3); }
  ;

exprs_opt:
    %empty                      { $$ = (fzi_list){0}; }
  | exprs
  ;

expr_opt:
    %empty                      { $$ = NULL; }
  | expr
  ;

indexes_opt:
    %empty                      { $$ = (fzi_list){0}; }
  | "[" exprs "]"               { $$ = $2; }
  ;

%%

/* ---- places and nodes ---- */

static fzi_span join(const fzi_span *parts, int count)
{
    fzi_span whole = parts[count > 0]; /* parts[0] stands before an empty construct */
    whole.start = whole.end;
    bool any = false;
    for (int i = 1; i <= count; i++) {
        if (parts[i].start == parts[i].end)
            continue;
        if (!any)
            whole.start = parts[i].start;
        whole.source = parts[i].source;
        whole.end = parts[i].end;
        any = true;
    }
    return whole;
}

static fzi_list declared(fzi_parser *p, fzi_list decls, fzi_span span, int flags)
{
    if (decls.first) {
        decls.first->span.start = span.start;
        decls.last->span.end = span.end;
        fzi_attach_doc(p, span, decls.first);
    }
    for (fzi_node *n = decls.first; n; n = n->next)
        n->flags = (uint16_t)(n->flags | flags);
    return decls;
}

/* Names of what is removed become declarations. */
static fzi_list removed(fzi_list names, fzi_span span)
{
    for (fzi_node *name = names.first; name; name = name->next) {
        name->kind = N_D_REMOVE;
        name->span = span;
    }
    return names;
}

static void add_way(fzi_parser *p, fzi_node *row, const fzi_node *to, fzi_node *direction)
{
    if (to && strcmp(row->name, "off") != 0) {
        fzi_node *edge = make_at(to->span, N_EDGE, NAMED(to->name, to->name_span),
                                 .direction = direction);
        row->edges = fzi_list_add((fzi_list){row->edges, row->edges}, edge).first;
    }
}

/* The sites of lines as rows, each with its neighbours on one line. */
static fzi_list rows_of_lines(fzi_parser *p, const fzi_node *lines, fzi_node *there,
                              fzi_node *back)
{
    fzi_list rows = {0};

    for (const fzi_node *line = lines; line; line = line->next)
        for (const fzi_node *stop = line->edges, *before = NULL; stop; stop = stop->next) {
            fzi_node *row = make_at(stop->span, N_ROW, NAMED(stop->name, stop->name_span));
            row->flags = FZ_NODE_ON_LINE;
            add_way(p, row, stop->next, there);
            add_way(p, row, before, back);
            if (strcmp(row->name, "off") != 0)
                rows = fzi_list_add(rows, row);
            before = stop;
        }
    return rows;
}

/* ---- between bison and the feeder ---- */

static int fz_yylex(FZ_YYSTYPE *value, fzi_span *span, fzi_parser *p)
{
    int kind = fzi_parser_feed(p, span);
    if (kind == FZ_K_INT)
        value->FZ_K_INT = fzi_token_number(p, *span);
    else if (kind == FZ_K_STRING)
        value->FZ_K_STRING = fzi_token_string(p, *span);
    else if (kind < FZ_K_ARROW || kind == FZ_K_IDENT) /* some words of the language are names */
        value->FZ_K_IDENT = fzi_token_name(p, *span);
    return kind;
}

void fzi_token_texts(fzi_parser *p)
{
    for (int token = FZ_K_GAME; token <= YYMAXUTOK; token++)
        p->texts[token - FZ_K_GAME] = yysymbol_name(YYTRANSLATE(token));
    for (int token = FZ_K_GAME; token < FZ_K_IDENT; token++)
        *fzi_word_slot(p, fzi_token_text(p, token)) = (uint16_t)token;
}

/* Called when the stack is full, for nothing else. */
static void fz_yyerror(const fzi_span *span, fzi_parser *p, const char *message)
{
    (void)message;
    fzi_too_deep(p, *span);
}

static bool takes_error(yy_state_t state)
{
    int at = yypact[state];
    if (yypact_value_is_default(at))
        return false;
    at += YYSYMBOL_YYerror;
    return at >= 0 && at <= YYLAST && yycheck[at] == YYSYMBOL_YYerror && yytable[at] > 0;
}

/* The symbols that bison removes from its stack, down to a state that recovers: the open brackets
 * among them, and the closed lists in braces into which it goes back. */
typedef struct lost_brackets {
    size_t open, closed;
    bool in_decls, in_stmts;
} lost_brackets;

static lost_brackets brackets_lost(const yypcontext_t *context)
{
    lost_brackets lost = {0};
    const yy_state_t *state = context->yyssp;
    for (; *state != 0 && !takes_error(*state); state--) {
        switch ((yysymbol_kind_t)yystos[*state]) {
        case YYSYMBOL_LPAREN: case YYSYMBOL_LBRACKET: case YYSYMBOL_LBRACE:
            if (lost.closed)
                lost.closed--;
            else
                lost.open++;
            break;
        case YYSYMBOL_RPAREN: case YYSYMBOL_RBRACKET: case YYSYMBOL_RBRACE:
            lost.closed++;
            break;
        default:
            break;
        }
    }
    lost.in_decls = yystos[*state] == YYSYMBOL_decls;
    lost.in_stmts = yystos[*state] == YYSYMBOL_stmts;
    return lost;
}

static int yyreport_syntax_error(const yypcontext_t *context, fzi_parser *p)
{
    yysymbol_kind_t kinds[YYNTOKENS];
    int count = yypcontext_expected_tokens(context, kinds, YYNTOKENS);
    if (count < 0)
        return count;
    bool expected[FZ_TOKEN_LIMIT] = {false};
    for (int token = FZ_K_GAME; token < FZ_TOKEN_LIMIT + FZ_K_GAME && token <= YYMAXUTOK; token++)
        for (int i = 0; i < count; i++)
            if (kinds[i] == YYTRANSLATE(token))
                expected[token - FZ_K_GAME] = true;
    lost_brackets lost = brackets_lost(context);
    p->skip_depth = lost.open;
    p->again_closed = lost.closed;
    p->in_decls = lost.in_decls;
    p->in_stmts = lost.in_stmts;
    fzi_syntax_error(p, expected);
    p->skipping = true;
    return 0;
}
