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

/* The span of a construct: from its first part that is not empty to its last part. */
#define YYLLOC_DEFAULT(whole, parts, count) ((whole) = join((parts), (int)(count)))

static fzi_span join(const fzi_span *parts, int count);
static int fz_yylex(FZ_YYSTYPE *value, fzi_span *span, fzi_parser *p);
static void fz_yyerror(const fzi_span *span, fzi_parser *p, const char *message);

/* Short names for the actions. */
#define make fzi_make
#define make_named fzi_make_named
#define make_text fzi_make_text
#define make_op fzi_make_op
#define one_of fzi_list_of
#define WITH(...) (&(fzi_node){__VA_ARGS__})
#define ALONE NULL

static void fill_file(fzi_parser *p, fzi_list decls, fzi_span span);
static fzi_list declared(fzi_parser *p, fzi_list decls, fzi_span span, int flags);
static fzi_list removed(fzi_parser *p, fzi_list names, fzi_span span);
static fzi_node *only_option(fzi_parser *p, fzi_node *label, fzi_node *generator);
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

%token TO "to" FROM "from" TURNS "turns" SYMBOL "symbol" WHERE "where" POSITION "position"
    PLAY "play" EXPECT "expect" PERFT "perft" DECISIONS "decisions" OUTCOMES "outcomes"
    CHANCE "chance" DO "do" FAILS "fails" UP "up" DOWN "down" STACKS "stacks" BASE "base"
    FACING "facing" SEEN "seen" TOGETHER "together"
    HIDE "hide" SUBSET "subset" INCLUDES "includes"
    EXCLUDES "excludes"

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

%type <const char *> name call_name
%type <fzi_node *> header type type_opt param string_node enum_value
    info_entry option_value shown_name hint player team face item option group keeping binder bound
    argument label label_opt generator key edge row choose stmt block sign outcome test
    expr primary expr_opt value_opt if_opt else_opt otherwise_opt choose_end then_opt
    by_opt item_end viewers_opt
%type <fzi_list> hints subjects
%type <fzi_list> decls decl plain names shown_names info_entries enum_values option_values players
    teams faces
    pieces piece index_params_opt types types_opt params params_opt param_list
    items options quants quant subset binders lets filters stmts exprs exprs_opt indexes_opt
    strings strings_opt arguments arguments_opt rows edges keys tests outcomes signs signs_opt
    one first_quant
%type <int> var_flags over assign or_opt move_word move_test seen_test decisions_opt contextual
    unnamed
%type <int64_t> weight_opt
%type <const char *> text_opt

%start start

%%

/* ---- files ---- */

start:
    ENTER_FILE header decls FINISH  { p->file = $2; fill_file(p, $3, @$); }
  | ENTER_SNIPPET decls FINISH
    { p->file = make(p, N_FILE, @$, ALONE); fill_file(p, $2, @$); }
  ;

header:
    "game" STRING ";"
    { $$ = make_text(p, N_FILE, @$, $2, @2, ALONE); $$->op = FZ_T_GAME; }
  | "library" name ";"
    { $$ = make_text(p, N_FILE, @$, $2, @2, ALONE); $$->op = FZ_T_LIBRARY; }
  | "variant" STRING "of" strings ";"
    { $$ = make_text(p, N_FILE, @$, $2, @2, WITH(.base = $4.first)); $$->op = FZ_T_VARIANT; }
  | error RECOVER               { yyerrok; $$ = make(p, N_FILE, @$, ALONE); }
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
  | "remove" names ";"          { $$ = removed(p, $2, @$); }
  | "remove" unnamed ";"
    {
        fzi_node *remove = make_named(p, N_D_REMOVE, @$, NULL, @2, ALONE);
        remove->number = $2;
        $$ = one_of(remove);
    }
  | "set" name "=" expr ";"     { $$ = one_of(make_named(p, N_D_SET, @$, $2, @2,
                                                         WITH(.value = $4))); }
  | "use" names ";"             { $$ = one_of(make(p, N_D_USE, @$, WITH(.names = $2.first))); }
  | "when" expr "{" decls "}"
    { $$ = one_of(make(p, N_D_WHEN, @$, WITH(.condition = $2, .then = $4.first))); }
  | "when" expr "{" decls "}" "else" "{" decls "}"
    { $$ = one_of(make(p, N_D_WHEN, @$,
                       WITH(.condition = $2, .then = $4.first, .otherwise = $8.first))); }
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
    "info" "{" info_entries "}"
    { $$ = one_of(make_named(p, N_D_INFO, @$, NULL, @1, WITH(.entries = $3.first))); }
  | "option" name "{" option_values "}" "=" name ";"
    {
        fzi_node *value = make_named(p, N_E_NAME, @7, $7, @7, ALONE);
        $$ = one_of(make_named(p, N_D_OPTION, @$, $2, @2,
                               WITH(.values = $4.first, .value = value)));
    }
  | "option" name ":" type "=" expr text_opt ";"
    {
        fzi_node *option = make_named(p, N_D_OPTION, @$, $2, @2,
                                      WITH(.declared_type = $4, .value = $6));
        option->text = $7;
        $$ = one_of(option);
    }
  | "players" players ";"
    { $$ = one_of(make_named(p, N_D_PLAYERS, @$, NULL, @1, WITH(.players = $2.first))); }
  | "teams" "{" teams "}"
    { $$ = one_of(make_named(p, N_D_TEAMS, @$, NULL, @1, WITH(.teams = $3.first))); }
  | "board" expr ";"
    { $$ = one_of(make_named(p, N_D_BOARD, @$, NULL, @1, WITH(.board = $2))); }
  | "board" expr "on" name ";"
    { $$ = one_of(make_named(p, N_D_BOARD, @$, $4, @4, WITH(.board = $2))); }
  | "stacks" "up" "to" expr ";"
    { $$ = one_of(make_named(p, N_D_STACKS, @$, NULL, @1, WITH(.high = $4))); }
  | "enum" name "{" enum_values "}"
    { $$ = one_of(make_named(p, N_D_ENUM, @$, $2, @2, WITH(.values = $4.first))); }
  | "enum" name "of" names ";"
    { $$ = one_of(make_named(p, N_D_ENUM, @$, $2, @2, WITH(.parts = $4.first))); }
  | "die" name "=" expr ";"
    { $$ = one_of(make_named(p, N_D_DIE, @$, $2, @2, WITH(.range = $4))); }
  | "die" name "{" faces "}"
    { $$ = one_of(make_named(p, N_D_DIE, @$, $2, @2, WITH(.faces = $4.first))); }
  | "property" name ":" type value_opt ";"
    { $$ = one_of(make_named(p, N_D_PROPERTY, @$, $2, @2,
                             WITH(.declared_type = $4, .value = $5))); }
  | "piece" pieces ";"          { $$ = $2; }
  | "piece" pieces "{" items "}"
    {
        for (fzi_node *piece = $2.first; piece; piece = piece->next)
            fzi_set_items(p, piece, $4.first);
        $2.last->span.end = @$.end;
        $$ = $2;
    }
  | "let" name index_params_opt type_opt "=" expr ";"
    {
        $$ = one_of(make_named(p, N_D_LET, @$, $2, @2,
                               WITH(.params = $3.first, .declared_type = $4, .value = $6)));
    }
  | var_flags "var" name types_opt type_opt value_opt ";"
    {
        fzi_node *var = make_named(p, N_D_VAR, @$, $3, @3,
                                   WITH(.index_types = $4.first, .declared_type = $5, .value = $6));
        var->flags = (uint16_t)$1;
        $$ = one_of(var);
    }
  | "show" shown_names ";"
    { $$ = one_of(make_named(p, N_D_SHOW, @$, NULL, @1, WITH(.names = $2.first))); }
  | "hide" names ";"
    { $$ = one_of(make_named(p, N_D_HIDE, @$, NULL, @1, WITH(.names = $2.first))); }
  | "view" "{" hints "}"
    { $$ = one_of(make_named(p, N_D_VIEW, @$, NULL, @1, WITH(.entries = $3.first))); }
  | "fn" name params ":" type "=" expr ";"
    {
        $$ = one_of(make_named(p, N_D_FN, @$, $2, @2,
                               WITH(.params = $3.first, .result_type = $5, .value = $7)));
    }
  | "fn" name params ":" type block
    {
        $$ = one_of(make_named(p, N_D_FN, @$, $2, @2,
                               WITH(.params = $3.first, .result_type = $5, .body = $6)));
    }
  | "moves" name params_opt "{" options "}"
    { $$ = one_of(make_named(p, N_D_MOVES, @$, $2, @2,
                             WITH(.params = $3.first, .options = $5.first))); }
  | "moves" name params_opt "{" options "}" filters ";"
    {
        $$ = one_of(make_named(p, N_D_MOVES, @$, $2, @2,
                               WITH(.params = $3.first, .options = $5.first, .filters = $7.first)));
    }
  | "proc" name params type_opt block
    {
        $$ = one_of(make_named(p, N_D_PROC, @$, $2, @2,
                               WITH(.params = $3.first, .result_type = $4, .body = $5)));
    }
  | "setup" block
    { $$ = one_of(make_named(p, N_D_SETUP, @$, NULL, @1, WITH(.body = $2))); }
  | "turn" block
    { $$ = one_of(make_named(p, N_D_TURN, @$, NULL, @1, WITH(.body = $2))); }
  | "end" block
    { $$ = one_of(make_named(p, N_D_END, @$, NULL, @1, WITH(.body = $2))); }
  | "on" "capture" "(" name ")" block
    { $$ = one_of(make_named(p, N_D_ON_CAPTURE, @$, $4, @4, WITH(.body = $6))); }
  | "limit" expr "turns" stmt
    { $$ = one_of(make_named(p, N_D_LIMIT, @$, NULL, @1, WITH(.turns = $2, .body = $4))); }
  | "test" STRING "{" tests "}"
    { $$ = one_of(make_text(p, N_D_TEST, @$, $2, @2, WITH(.steps = $4.first))); }
  | "extern" "fn" name params ":" type "from" string_node "symbol" string_node ";"
    {
        $$ = one_of(make_named(p, N_D_EXTERN, @$, $3, @3,
                               WITH(.params = $4.first, .result_type = $6, .library = $8,
                                    .native_symbol = $10)));
    }
  ;

shown_names:
    shown_name                  { $$ = one_of($1); }
  | shown_names "," shown_name  { $$ = fzi_list_add($1, $3); }
  ;

shown_name:
    name                        { $$ = make_named(p, N_NAME, @$, $1, @1, ALONE); }
  | name "as" STRING
    {
        $$ = make_named(p, N_NAME, @$, $1, @1, ALONE);
        $$->text = $3;
    }
  ;

hints:
    %empty                      { $$ = (fzi_list){0}; }
  | hints hint                  { $$ = fzi_list_add($1, $2); }
  | hints error RECOVER         { yyerrok; $$ = $1; }
  ;

hint:
    name subjects ";"
    { $$ = make_named(p, N_HINT, @$, $1, @1, WITH(.entries = $2.first)); }
  ;

subjects:
    names                       { $$ = one_of(make(p, N_SUBJECTS, @$, WITH(.names = $1.first))); }
  | names "as" name
    { $$ = one_of(make_named(p, N_SUBJECTS, @$, $3, @3, WITH(.names = $1.first))); }
  | names "as" name "," subjects
    { $$ = fzi_list_join(one_of(make_named(p, N_SUBJECTS, @1, $3, @3, WITH(.names = $1.first))),
                         $5); }
  ;

info_entries:
    %empty                      { $$ = (fzi_list){0}; }
  | info_entries info_entry     { $$ = fzi_list_add($1, $2); }
  | info_entries error RECOVER  { yyerrok; $$ = $1; }
  ;

info_entry:
    name STRING ";"
    { $$ = make_named(p, N_INFO, @$, $1, @1, ALONE); $$->text = $2; }
  ;

enum_values:
    enum_value                  { $$ = one_of($1); }
  | enum_values "," enum_value  { $$ = fzi_list_add($1, $3); }
  ;

enum_value:
    name text_opt
    {
        $$ = make_named(p, N_NAME, @1, $1, @1, ALONE);
        $$->text = $2;
    }
  ;

option_values:
    option_value                { $$ = one_of($1); }
  | option_values "," option_value  { $$ = fzi_list_add($1, $3); }
  ;

option_value:
    name text_opt
    {
        $$ = make_named(p, N_OPTION_VALUE, @$, $1, @1, ALONE);
        $$->text = $2;
        fzi_attach_doc(p, @$, $$);
    }
  ;

players:
    player                      { $$ = one_of($1); }
  | players "," player          { $$ = fzi_list_add($1, $3); }
  ;

player:
    name if_opt
    { $$ = make_named(p, N_PLAYER, @$, $1, @1, WITH(.condition = $2)); }
  | name "facing" expr if_opt
    { $$ = make_named(p, N_PLAYER, @$, $1, @1, WITH(.facing = $3, .condition = $4)); }
  ;

teams:
    %empty                      { $$ = (fzi_list){0}; }
  | teams team                  { $$ = fzi_list_add($1, $2); }
  | teams error RECOVER         { yyerrok; $$ = $1; }
  ;

team:
    name ":" names ";"          { $$ = make_named(p, N_TEAM, @$, $1, @1,
                                                  WITH(.members = $3.first)); }
  ;

faces:
    face                        { $$ = one_of($1); }
  | faces "," face              { $$ = fzi_list_add($1, $3); }
  ;

face:
    expr weight_opt             { $$ = make(p, N_FACE, @$, WITH(.value = $1)); $$->number = $2; }
  ;

weight_opt:
    %empty                      { $$ = 1; }
  | ":" INT                     { $$ = fzi_small_number(p, @2, $2); }
  ;

pieces:
    piece                       { $$ = $1; }
  | pieces "," piece            { $$ = fzi_list_join($1, $3); }
  ;

piece:
    name text_opt
    {
        fzi_node *piece = make_named(p, N_D_PIECE, @$, $1, @1, ALONE);
        piece->text = $2;
        $$ = one_of(piece);
    }
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
    name ":" type               { $$ = make_named(p, N_PARAM, @$, $1, @1,
                                                  WITH(.declared_type = $3)); }
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
    name                        { $$ = make_named(p, N_T_NAME, @$, $1, @1, ALONE); }
  | "set" "of" type             { $$ = make(p, N_T_SET, @$, WITH(.declared_type = $3)); }
  | expr ".." expr              { $$ = make(p, N_T_RANGE, @$, WITH(.low = $1, .high = $3)); }
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
    {
        $$ = make(p, N_I_MOVE, @$,
                  WITH(.targets = $3, .quants = $4.first, .label = $5, .effect = $6));
        $$->op = (uint8_t)$1;
    }
  | "moves" "{" options "}"     { $$ = make(p, N_I_MOVES, @$, WITH(.options = $3.first)); }
  | "attacks" expr ";"          { $$ = make(p, N_I_ATTACKS, @$, WITH(.targets = $2)); }
  | or_opt "at" expr quants label_opt "then" stmt
    {
        $$ = make(p, N_I_AT, @$,
                  WITH(.targets = $3, .quants = $4.first, .label = $5, .effect = $7));
        $$->op = (uint8_t)$1;
    }
  | "after" stmt                { $$ = make(p, N_I_AFTER, @$, WITH(.effect = $2)); }
  | "base" ";"                  { $$ = make_named(p, N_I_BASE, @$, NULL, @1, ALONE); }
  | name expr ";"               { $$ = make_named(p, N_I_PROPERTY, @$, $1, @1, WITH(.value = $2)); }
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
    quants label_opt "=>" stmt
    { $$ = make(p, N_OPTION, @$, WITH(.quants = $1.first, .label = $2, .effect = $4)); }
  | quants label_opt generator ";"
    { $$ = make(p, N_OPTION, @$, WITH(.quants = $1.first, .label = $2, .effect = $3)); }
  | quants label_opt generator "then" stmt
    { $$ = make(p, N_OPTION, @$,
                WITH(.quants = $1.first, .label = $2, .effect = $3, .then_effect = $5)); }
  | quants label_opt group then_opt
    { $$ = make(p, N_OPTION, @$,
                WITH(.quants = $1.first, .label = $2, .effect = $3, .then_effect = $4)); }
  ;

group:
    "{" options "}"             { $$ = make(p, N_GROUP, @$, WITH(.options = $2.first)); }
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
    "for" binders               { $$ = one_of(make(p, N_Q_FOR, @$, WITH(.binders = $2.first))); }
  | "for" subset                { $$ = $2; }
  | "let" lets                  { $$ = one_of(make(p, N_Q_LET, @$, WITH(.bindings = $2.first))); }
  | "if" expr                   { $$ = one_of(make(p, N_Q_IF, @$, WITH(.condition = $2))); }
  | "as" expr                   { $$ = one_of(make(p, N_Q_AS, @$, WITH(.player = $2))); }
  ;

subset:
    name "subset" "of" expr     { $$ = fzi_make_subset(p, @$, $1, @1, $4); }
  ;

binders:
    binder                      { $$ = one_of($1); }
  | binders "," binder          { $$ = fzi_list_add($1, $3); }
  ;

binder:
    name "in" expr              { $$ = make_named(p, N_BINDER, @$, $1, @1, WITH(.set = $3)); }
  ;

lets:
    bound                       { $$ = one_of($1); }
  | lets "," bound              { $$ = fzi_list_add($1, $3); }
  ;

bound:
    name type_opt "=" expr
    { $$ = make_named(p, N_BOUND, @$, $1, @1, WITH(.declared_type = $2, .value = $4)); }
  ;

label_opt:
    %empty                      { $$ = NULL; }
  | label                       { $$ = $1; }
  ;

label:
    STRING                      { $$ = make_text(p, N_LABEL, @$, $1, @1, ALONE); }
  | STRING "shown" string_node  { $$ = make_text(p, N_LABEL, @$, $1, @1, WITH(.shown = $3)); }
  | "shown" string_node         { $$ = make(p, N_LABEL, @$, WITH(.shown = $2)); }
  ;

generator:
    name                        { $$ = make_named(p, N_GENERATOR, @$, $1, @1, ALONE); }
  | name "(" exprs_opt ")"
    {
        $$ = make_named(p, N_GENERATOR, @$, $1, @1, WITH(.arguments = $3.first));
    }
  ;

filters:
    "ensuring" expr
    { $$ = one_of(make_op(p, N_FILTER, @$, FZ_T_ENSURING, WITH(.condition = $2))); }
  | keeping                     { $$ = one_of($1); }
  | "ensuring" expr keeping
    {
        fzi_node *first = make_op(p, N_FILTER, fzi_span_join(@1, @2), FZ_T_ENSURING,
                                  WITH(.condition = $2));
        $$ = fzi_list_add(one_of(first), $3);
    }
  ;

keeping:
    "keeping" "max" exprs       { $$ = make_op(p, N_FILTER, @$, FZ_T_MAX, WITH(.keys = $3.first)); }
  | "keeping" "max" exprs "up" "to" exprs
    { $$ = make_op(p, N_FILTER, @$, FZ_T_MAX, WITH(.keys = $3.first, .limits = $6.first)); }
  | "keeping" "min" exprs       { $$ = make_op(p, N_FILTER, @$, FZ_T_MIN, WITH(.keys = $3.first)); }
  | "keeping" "min" exprs "down" "to" exprs
    { $$ = make_op(p, N_FILTER, @$, FZ_T_MIN, WITH(.keys = $3.first, .limits = $6.first)); }
  ;

choose:
    "choose" by_opt one otherwise_opt
    { $$ = make(p, N_S_CHOOSE, @$, WITH(.player = $2, .options = $3.first, .otherwise = $4)); }
  | "choose" by_opt "{" options "}" otherwise_opt
    {
        $$ = make(p, N_S_CHOOSE, @$, WITH(.player = $2, .options = $4.first, .otherwise = $6));
    }
  | "choose" by_opt "{" options "}" filters choose_end
    {
        $$ = make(p, N_S_CHOOSE, @$,
                  WITH(.player = $2, .options = $4.first, .filters = $6.first, .otherwise = $7));
    }
  | "choose" by_opt generator choose_end
    { $$ = make(p, N_S_CHOOSE, @$,
                WITH(.player = $2, .options = only_option(p, NULL, $3), .otherwise = $4)); }
  | "choose" by_opt generator filters choose_end
    {
        $$ = make(p, N_S_CHOOSE, @$,
                  WITH(.player = $2, .options = only_option(p, NULL, $3), .filters = $4.first,
                       .otherwise = $5));
    }
  | "choose" by_opt label generator choose_end
    { $$ = make(p, N_S_CHOOSE, @$,
                WITH(.player = $2, .options = only_option(p, $3, $4), .otherwise = $5)); }
  | "choose" by_opt label generator filters choose_end
    {
        $$ = make(p, N_S_CHOOSE, @$,
                  WITH(.player = $2, .options = only_option(p, $3, $4), .filters = $5.first,
                       .otherwise = $6));
    }
  ;

choose_end:
    ";"                         { $$ = NULL; }
  | "otherwise" stmt            { $$ = $2; }
  ;

/* `choose` with a single option, whose `for` may be left out. */
one:
    first_quant quants label_opt "=>" stmt
    {
        fzi_list quants = fzi_list_join($1, $2);
        $$ = one_of(make(p, N_OPTION, @$, WITH(.quants = quants.first, .label = $3, .effect = $5)));
    }
  | first_quant quants label_opt generator ";"
    {
        fzi_list quants = fzi_list_join($1, $2);
        $$ = one_of(make(p, N_OPTION, @$, WITH(.quants = quants.first, .label = $3, .effect = $4)));
    }
  | first_quant quants label_opt generator "then" stmt
    {
        fzi_list quants = fzi_list_join($1, $2);
        $$ = one_of(make(p, N_OPTION, @$,
                         WITH(.quants = quants.first, .label = $3, .effect = $4,
                              .then_effect = $6)));
    }
  | label "=>" stmt             { $$ = one_of(make(p, N_OPTION, @$,
                                                   WITH(.label = $1, .effect = $3))); }
  ;

first_quant:
    binders                     { $$ = one_of(make(p, N_Q_FOR, @$, WITH(.binders = $1.first))); }
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
    "{" stmts "}"               { $$ = make(p, N_S_BLOCK, @$, WITH(.stmts = $2.first)); }
  ;

stmts:
    %empty                      { $$ = (fzi_list){0}; }
  | stmts stmt                  { $$ = fzi_list_add($1, $2); }
  | stmts error RECOVER         { yyerrok; $$ = $1; }
  ;

stmt:
    block
  | choose
  | name indexes_opt assign expr viewers_opt ";"
    {
        $$ = make_named(p, N_S_ASSIGN, @$, $1, @1,
                        WITH(.indexes = $2.first, .value = $4, .viewers = $5));
        $$->op = (uint8_t)$3;
    }
  | name "(" exprs_opt ")" ";"  { $$ = make_named(p, N_S_CALL, @$, $1, @1,
                                                  WITH(.arguments = $3.first)); }
  | "base" ";"
    {
        $$ = make_named(p, N_S_CALL, @$, fzi_intern_z(p->arena, "base"), @1, ALONE);
        $$->flags = FZ_NODE_BARE;
    }
  | "let" lets viewers_opt ";"  { $$ = make(p, N_S_LET, @$,
                                            WITH(.bindings = $2.first, .viewers = $3)); }
  | "var" name type_opt value_opt viewers_opt ";"
    { $$ = make_named(p, N_S_VAR, @$, $2, @2,
                      WITH(.declared_type = $3, .value = $4, .viewers = $5)); }
  | "if" expr stmt else_opt     { $$ = make(p, N_S_IF, @$,
                                            WITH(.condition = $2, .then = $3, .otherwise = $4)); }
  | "for" binders stmt          { $$ = make(p, N_S_FOR, @$,
                                            WITH(.binders = $2.first, .body = $3)); }
  | "together" binders choose   { $$ = make(p, N_S_TOGETHER, @$,
                                            WITH(.binders = $2.first, .body = $3)); }
  | "while" expr stmt           { $$ = make(p, N_S_WHILE, @$, WITH(.condition = $2, .body = $3)); }
  | "as" expr stmt              { $$ = make(p, N_S_AS, @$, WITH(.player = $2, .body = $3)); }
  | "put" expr "of" expr "at" expr ";"
    { $$ = make(p, N_S_PUT, @$, WITH(.piece = $2, .owner = $4, .sites = $6)); }
  | "put" expr "of" expr "on" expr ";"
    {
        $$ = make(p, N_S_PUT, @$, WITH(.piece = $2, .owner = $4, .sites = $6));
        $$->flags = FZ_NODE_ON_TOP;
    }
  | "give" expr "to" expr ";"   { $$ = make(p, N_S_GIVE, @$, WITH(.sites = $2, .owner = $4)); }
  | "remove" expr ";"           { $$ = make(p, N_S_REMOVE, @$, WITH(.sites = $2)); }
  | "capture" expr ";"          { $$ = make(p, N_S_CAPTURE, @$, WITH(.sites = $2)); }
  | "next" expr ";"             { $$ = make(p, N_S_NEXT, @$, WITH(.player = $2)); }
  | "again" ";"                 { $$ = make(p, N_S_AGAIN, @$, ALONE); }
  | "stop" ";"                  { $$ = make(p, N_S_STOP, @$, ALONE); }
  | "return" expr_opt ";"       { $$ = make(p, N_S_RETURN, @$, WITH(.value = $2)); }
  | "win" expr ";"              { $$ = make(p, N_S_WIN, @$, WITH(.player = $2)); }
  | "lose" expr ";"             { $$ = make(p, N_S_LOSE, @$, WITH(.player = $2)); }
  | "out" expr ";"              { $$ = make(p, N_S_OUT, @$, WITH(.player = $2)); }
  | "draw" ";"                  { $$ = make(p, N_S_DRAW, @$, ALONE); }
  | "rank" name "by" exprs ";"
    { $$ = make_named(p, N_S_RANK, @$, $2, @2, WITH(.keys = $4.first)); }
  | "diagram" STRING signs_opt ";"
    { $$ = make_text(p, N_S_DIAGRAM, @$, $2, @2, WITH(.signs = $3.first)); }
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
    STRING "=" expr "of" expr   { $$ = make_text(p, N_SIGN, @$, $1, @1,
                                                 WITH(.piece = $3, .owner = $5)); }
  ;

/* ---- expressions ---- */

expr:
    primary
  | expr "or" expr
    { $$ = make_op(p, N_E_BINARY, @$, FZ_T_OR, WITH(.left = $1, .right = $3)); }
  | expr "and" expr
    { $$ = make_op(p, N_E_BINARY, @$, FZ_T_AND, WITH(.left = $1, .right = $3)); }
  | "not" expr %prec NEGATION
    { $$ = make_op(p, N_E_UNARY, @$, FZ_T_NOT, WITH(.operand = $2)); }
  | expr "==" expr
    { $$ = make_op(p, N_E_BINARY, @$, FZ_T_EQ, WITH(.left = $1, .right = $3)); }
  | expr "!=" expr
    { $$ = make_op(p, N_E_BINARY, @$, FZ_T_NE, WITH(.left = $1, .right = $3)); }
  | expr "<" expr
    { $$ = make_op(p, N_E_BINARY, @$, FZ_T_LT, WITH(.left = $1, .right = $3)); }
  | expr "<=" expr
    { $$ = make_op(p, N_E_BINARY, @$, FZ_T_LE, WITH(.left = $1, .right = $3)); }
  | expr ">" expr
    { $$ = make_op(p, N_E_BINARY, @$, FZ_T_GT, WITH(.left = $1, .right = $3)); }
  | expr ">=" expr
    { $$ = make_op(p, N_E_BINARY, @$, FZ_T_GE, WITH(.left = $1, .right = $3)); }
  | expr "in" expr
    { $$ = make_op(p, N_E_BINARY, @$, FZ_T_IN, WITH(.left = $1, .right = $3)); }
  | expr "not" "in" expr
    {
        fzi_node *in = make_op(p, N_E_BINARY, @$, FZ_T_IN, WITH(.left = $1, .right = $4));
        $$ = make_op(p, N_E_UNARY, @$, FZ_T_NOT, WITH(.operand = in));
    }
  | expr ".." expr
    { $$ = make_op(p, N_E_BINARY, @$, FZ_T_RANGE, WITH(.left = $1, .right = $3)); }
  | expr "|" expr
    { $$ = make_op(p, N_E_BINARY, @$, FZ_T_UNITE, WITH(.left = $1, .right = $3)); }
  | expr "&" expr
    { $$ = make_op(p, N_E_BINARY, @$, FZ_T_MEET, WITH(.left = $1, .right = $3)); }
  | expr "+" expr
    { $$ = make_op(p, N_E_BINARY, @$, FZ_T_PLUS, WITH(.left = $1, .right = $3)); }
  | expr "-" expr
    { $$ = make_op(p, N_E_BINARY, @$, FZ_T_MINUS, WITH(.left = $1, .right = $3)); }
  | expr "*" expr
    { $$ = make_op(p, N_E_BINARY, @$, FZ_T_TIMES, WITH(.left = $1, .right = $3)); }
  | expr "/" expr
    { $$ = make_op(p, N_E_BINARY, @$, FZ_T_DIVIDE, WITH(.left = $1, .right = $3)); }
  | expr "%" expr
    { $$ = make_op(p, N_E_BINARY, @$, FZ_T_MODULO, WITH(.left = $1, .right = $3)); }
  | "-" expr %prec UNARY        { $$ = make_op(p, N_E_UNARY, @$, FZ_T_MINUS, WITH(.operand = $2)); }
  | "~" expr %prec UNARY        { $$ = make_op(p, N_E_UNARY, @$, FZ_T_TILDE, WITH(.operand = $2)); }
  | "#" expr %prec UNARY        { $$ = make_op(p, N_E_UNARY, @$, FZ_T_HASH, WITH(.operand = $2)); }
  | "if" expr "then" expr "else" expr %prec BODY
    { $$ = make(p, N_E_IF, @$, WITH(.condition = $2, .then = $4, .otherwise = $6)); }
  | over binders if_opt ":" expr %prec BODY
    { $$ = make_op(p, N_E_OVER, @$, $1, WITH(.binders = $2.first, .condition = $3, .body = $5)); }
  | "as" expr ":" expr %prec BODY
    { $$ = make(p, N_E_AS, @$, WITH(.player = $2, .body = $4)); }
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
    INT
    { $$ = make(p, N_E_INT, @$, ALONE); $$->number = fzi_small_number(p, @1, $1); }
  | name                        { $$ = make_named(p, N_E_NAME, @$, $1, @1, ALONE); }
  | name "." name
    {
        fzi_node *type = make_named(p, N_E_NAME, @1, $1, @1, ALONE);
        $$ = make_named(p, N_E_MEMBER, @$, $3, @3, WITH(.type_name = type));
    }
  | primary "[" exprs "]"       { $$ = make(p, N_E_INDEX, @$,
                                            WITH(.primary = $1, .indexes = $3.first)); }
  | call_name "(" arguments_opt ")"
    { $$ = make_named(p, N_E_CALL, @$, $1, @1, WITH(.arguments = $3.first)); }
  | "(" expr ")"                { $$ = $2; $$->span = @$; }
  | "{" exprs_opt "}"           { $$ = make(p, N_E_SET, @$, WITH(.members = $2.first)); }
  | "{" "for" name "in" expr if_opt "}"
    { $$ = make_named(p, N_E_SET_FOR, @$, $3, @3, WITH(.set = $5, .condition = $6)); }
  | "{" keys "}"                { $$ = make(p, N_E_KEYS, @$, WITH(.entries = $2.first)); }
  | "[" exprs "]"               { $$ = make(p, N_E_LIST, @$, WITH(.entries = $2.first)); }
  | "graph" "{" rows "}"        { $$ = make(p, N_E_GRAPH, @$, WITH(.rows = $3.first)); }
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
  | name ":" expr               { $$ = make_named(p, N_PART, @$, $1, @1, WITH(.value = $3)); }
  ;

call_name:
    name
  | "max"                       { $$ = fzi_intern_z(p->arena, "max"); }
  | "min"                       { $$ = fzi_intern_z(p->arena, "min"); }
  | "first"                     { $$ = fzi_intern_z(p->arena, "first"); }
  | "random"                    { $$ = fzi_intern_z(p->arena, "random"); }
  | "rank"                      { $$ = fzi_intern_z(p->arena, "rank"); }
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
    expr ":" expr               { $$ = make(p, N_KEY, @$, WITH(.key = $1, .value = $3)); }
  ;

rows:
    row                         { $$ = one_of($1); }
  | rows row                    { $$ = fzi_list_add($1, $2); }
  | rows error RECOVER          { yyerrok; $$ = $1; }
  ;

row:
    name ":" edges ";"          { $$ = make_named(p, N_ROW, @$, $1, @1, WITH(.edges = $3.first)); }
  ;

edges:
    edge                        { $$ = one_of($1); }
  | edges "," edge              { $$ = fzi_list_add($1, $3); }
  ;

edge:
    name                        { $$ = make_named(p, N_EDGE, @$, $1, @1, ALONE); }
  | name name
    {
        fzi_node *direction = make_named(p, N_NAME, @2, $2, @2, ALONE);
        $$ = make_named(p, N_EDGE, @$, $1, @1, WITH(.direction = direction));
    }
  ;

/* ---- tests ---- */

tests:
    %empty                      { $$ = (fzi_list){0}; }
  | tests test                  { $$ = fzi_list_add($1, $2); }
  | tests error RECOVER         { yyerrok; $$ = $1; }
  ;

test:
    "position" STRING ";"       { $$ = make_text(p, N_X_POSITION, @$, $2, @2, ALONE); }
  | "position" STRING block     { $$ = make_text(p, N_X_POSITION, @$, $2, @2, WITH(.body = $3)); }
  | "position" STRING "for" expr ";"
    { $$ = make_text(p, N_X_POSITION, @$, $2, @2, WITH(.player = $4)); }
  | "position" STRING "for" expr block
    { $$ = make_text(p, N_X_POSITION, @$, $2, @2, WITH(.player = $4, .body = $5)); }
  | "after" strings ";"         { $$ = make(p, N_X_AFTER, @$, WITH(.moves = $2.first)); }
  | "play" strings ";"          { $$ = make(p, N_X_PLAY, @$, WITH(.moves = $2.first)); }
  | "do" stmt                   { $$ = make(p, N_X_DO, @$, WITH(.body = $2)); }
  | "chance" exprs ";"          { $$ = make(p, N_X_CHANCE, @$, WITH(.values = $2.first)); }
  | "set" name "=" expr ";"     { $$ = make_named(p, N_X_SET, @$, $2, @2, WITH(.value = $4)); }
  | "expect" expr ";"           { $$ = make(p, N_X_EXPECT, @$, WITH(.condition = $2)); }
  | "expect" "moves" move_test "{" strings_opt "}" ";"
    { $$ = make_op(p, N_X_EXPECT_MOVES, @$, $3, WITH(.moves = $5.first)); }
  | "expect" "seen" "by" expr seen_test "{" strings_opt "}" ";"
    { $$ = make_op(p, N_X_EXPECT_SEEN, @$, $5, WITH(.owner = $4, .moves = $7.first)); }
  | "moves" INT ";"             { $$ = make(p, N_X_MOVES, @$, ALONE); $$->number = $2; }
  | "perft" INT decisions_opt INT ";"
    {
        fzi_node *depth = make(p, N_E_INT, @2, ALONE);
        depth->number = fzi_small_number(p, @2, $2);
        $$ = make(p, N_X_PERFT, @$, WITH(.depth = depth));
        $$->number = $4;
        $$->flags = (uint16_t)$3;
    }
  | "outcomes" "{" outcomes "}" { $$ = make(p, N_X_OUTCOMES, @$, WITH(.outcomes = $3.first)); }
  | "fails" STRING ";"          { $$ = make_text(p, N_X_FAILS, @$, $2, @2, ALONE); }
  ;

move_test:
    %empty                      { $$ = FZ_T_ASSIGN; }
  | "includes"                  { $$ = FZ_T_INCLUDES; }
  | "excludes"                  { $$ = FZ_T_EXCLUDES; }
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
    INT ":" expr ";"            {
        $$ = make(p, N_OUTCOME, @$, WITH(.condition = $3));
        $$->number = $1;
      }
  | INT "/" INT ":" expr ";"
    {
        fzi_node *whole = make(p, N_E_INT, @3, ALONE);
        whole->number = $3;
        $$ = make(p, N_OUTCOME, @$, WITH(.denominator = whole, .condition = $5));
        $$->number = $1;
    }
  ;

/* ---- words and lists ---- */

name:
    IDENT
  | contextual                  { $$ = fzi_intern_z(p->arena, fzi_token_text(p, $1)); }
  ;

contextual:
    "to"                        { $$ = FZ_K_TO; }
  | "from"                      { $$ = FZ_K_FROM; }
  | "turns"                     { $$ = FZ_K_TURNS; }
  | "symbol"                    { $$ = FZ_K_SYMBOL; }
  | "where"                     { $$ = FZ_K_WHERE; }
  | "position"                  { $$ = FZ_K_POSITION; }
  | "play"                      { $$ = FZ_K_PLAY; }
  | "expect"                    { $$ = FZ_K_EXPECT; }
  | "perft"                     { $$ = FZ_K_PERFT; }
  | "decisions"                 { $$ = FZ_K_DECISIONS; }
  | "outcomes"                  { $$ = FZ_K_OUTCOMES; }
  | "chance"                    { $$ = FZ_K_CHANCE; }
  | "do"                        { $$ = FZ_K_DO; }
  | "fails"                     { $$ = FZ_K_FAILS; }
  | "base"                      { $$ = FZ_K_BASE; }
  | "facing"                    { $$ = FZ_K_FACING; }
  | "up"                        { $$ = FZ_K_UP; }
  | "down"                      { $$ = FZ_K_DOWN; }
  | "seen"                      { $$ = FZ_K_SEEN; }
  | "stacks"                    { $$ = FZ_K_STACKS; }
  | "together"                  { $$ = FZ_K_TOGETHER; }
  | "includes"                  { $$ = FZ_K_INCLUDES; }
  | "hide"                      { $$ = FZ_K_HIDE; }
  | "subset"                    { $$ = FZ_K_SUBSET; }
  | "excludes"                  { $$ = FZ_K_EXCLUDES; }
  ;

names:
    name                        { $$ = one_of(make_named(p, N_NAME, @$, $1, @1, ALONE)); }
  | names "," name              { $$ = fzi_list_add($1, make_named(p, N_NAME, @3, $3, @3, ALONE)); }
  ;

string_node:
    STRING                      { $$ = make_text(p, N_E_STRING, @$, $1, @1, ALONE); }
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

static void fill_file(fzi_parser *p, fzi_list decls, fzi_span span)
{
    p->file->decls = decls.first;
    p->file->span = span;
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

static fzi_list removed(fzi_parser *p, fzi_list names, fzi_span span)
{
    fzi_list removes = {0};
    for (const fzi_node *n = names.first; n; n = n->next)
        removes = fzi_list_add(removes,
                               make_named(p, N_D_REMOVE, span, n->name, n->span, ALONE));
    return removes;
}

/* The option of a `choose` that is a generator. */
static fzi_node *only_option(fzi_parser *p, fzi_node *label, fzi_node *generator)
{
    fzi_span span = label ? fzi_span_join(label->span, generator->span) : generator->span;
    return make(p, N_OPTION, span, WITH(.label = label, .effect = generator));
}

/* ---- between bison and the feeder ---- */

static int fz_yylex(FZ_YYSTYPE *value, fzi_span *span, fzi_parser *p)
{
    int kind = fzi_parser_feed(p, span);
    if (kind == FZ_K_IDENT)
        value->FZ_K_IDENT = fzi_token_name(p, *span);
    else if (kind == FZ_K_INT)
        value->FZ_K_INT = fzi_token_number(p, *span);
    else if (kind == FZ_K_STRING)
        value->FZ_K_STRING = fzi_token_string(p, *span);
    return kind;
}

void fzi_token_texts(const char **texts)
{
    for (int token = FZ_K_GAME; token <= YYMAXUTOK; token++)
        texts[token - FZ_K_GAME] = yysymbol_name(YYTRANSLATE(token));
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
