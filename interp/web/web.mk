# The WebAssembly engine, the npm package and the page, as static files. GNU make; `make web` of the
# build tree and `./dev web` run it in their build tree:
#
#   SRC       the source tree
#   SOURCES   the library's C files, relative to SRC or, those that are made, to here
#   LSP       the language server's
#   JANSSON   a source tree of jansson, which the language server needs; without it the engine has
#             no language server
#   MODULES   a folder with node_modules (esbuild, codemirror), which the page needs; without it
#             only the engine and the package are made
#   OUT       where the files go
MAKEFLAGS += -r
.DEFAULT_GOAL = all
WASM_CC = clang --target=wasm32-wasi
WASM_CFLAGS = -O2
FLAGS = -std=c11 -DNDEBUG -D_POSIX_C_SOURCE=200809L -D_WASI_EMULATED_SIGNAL \
    -mllvm -wasm-enable-sjlj $(if $(JANSSON),-Iwasm/jansson) -MMD -MP -I$(SRC)/interp/web/wasi -I$(SRC) -I. -I$(SRC)/interp \
    -DFZ_STDLIB_DIR='"/stdlib"' -DFZ_GAMES_DIR='"/games"'
WARNINGS = -Wall -Wextra -Wshadow

# Of native code only what refuses it: there is no compiler and no loader.
LIBRARY = $(filter-out interp/lab/% interp/native/% interp/picture/paint.c,$(filter %.c,$(SOURCES))) \
    interp/native/ffi.c
ENGINE = web_game web_pages web_runs web_state
WIDTHS = 1 2 4 8 16
OBJECTS = $(LIBRARY:%.c=wasm/%.o) $(ENGINE:%=wasm/interp/web/%.o) $(WIDTHS:%=wasm/loop_%.o) \
    wasm/runtime.o
ifneq ($(JANSSON),)
SERVER = $(filter %.c,$(LSP)) interp/web/web_lsp.c
OBJECTS += $(SERVER:%.c=wasm/%.o) $(patsubst $(JANSSON)/src/%.c,wasm/jansson/%.o,\
    $(wildcard $(JANSSON)/src/*.c))
endif

PACKAGE = package.json command.js index.js wasi.js index.d.ts README.md
GAMES = $(wildcard $(SRC)/games/*/*.game)
MODULE_FILES = $(wildcard $(SRC)/stdlib/*.game) $(SRC)/stdlib/modules.list

ifneq ($(MODULES),)
SITE = first.js main.js editor.js worker.js
SITE_FILES = index.html style.css icon.svg manual.js manual.css offline.js
SITE_MADE = ferz.wasm files.json gallery.json manual.html
PACKED = $(filter-out %.svg,$(SITE) $(SITE_FILES) $(SITE_MADE))
site: $(patsubst %,$(OUT)/site/%,$(SITE) $(SITE_FILES) $(SITE_MADE) $(PACKED:%=%.gz))
endif

all: $(PACKAGE:%=$(OUT)/npm/%) $(OUT)/npm/LICENSE $(OUT)/npm/ferz.wasm $(OUT)/npm/files.json $(if $(MODULES),site)

vpath %.c $(SRC)

wasm/%.o: %.c
	@mkdir -p $(@D)
	@echo "  WASM     $@"
	@$(WASM_CC) $(FLAGS) $(WARNINGS) $(WASM_CFLAGS) -c $< -o $@

wasm/loop_%.o: interp/vm/vm_width.c
	@mkdir -p $(@D)
	@echo "  WASM     $@"
	@$(WASM_CC) $(FLAGS) $(WARNINGS) $(WASM_CFLAGS) -DFZ_W=$* -c $< -o $@

wasm/runtime.o: interp/web/wasi_runtime.c
	@mkdir -p $(@D)
	@echo "  WASM     $@"
	@$(WASM_CC) $(FLAGS) $(WARNINGS) $(WASM_CFLAGS) -mexception-handling -c $< -o $@

# jansson asks its configure script for what differs between machines.
wasm/jansson/jansson_config.h: $(JANSSON)/src/jansson_config.h.in
	@mkdir -p $(@D)
	cp $(JANSSON)/src/jansson.h $(@D)/
	: > $(@D)/jansson_private_config.h
	sed -e 's/@json_inline@/inline/' -e 's/@json_have_long_long@/1/' \
	    -e 's/@json_have_[a-z_]*@/0/' $< > $@

wasm/jansson/%.o: $(JANSSON)/src/%.c wasm/jansson/jansson_config.h
	@mkdir -p $(@D)
	@echo "  WASM     $@"
	@$(WASM_CC) -O2 -Iwasm/jansson -I$(JANSSON)/src -DHAVE_STDINT_H -DHAVE_SYS_TYPES_H -c $< -o $@

wasm/interp/web/%.o: WARNINGS += -Wconversion -Werror
wasm/interp/lsp/%.o: FLAGS += -include $(SRC)/interp/web/wasi/absent.h
$(filter wasm/interp/lsp/% wasm/interp/web/web_lsp.o,$(OBJECTS)): wasm/jansson/jansson_config.h

# The stack holds what the compiler's recursion needs; memory beyond the last size is refused.
$(OUT)/npm/ferz.wasm: $(OBJECTS)
	@mkdir -p $(@D)
	@echo "  LD       $@"
	@$(WASM_CC) -mexec-model=reactor -O2 -Wl,-z,stack-size=4194304 -Wl,--max-memory=1073741824 \
	    -Wl,--export=malloc,--export=free,--export=fz_version -Wl,--strip-all -Wl,--fatal-warnings \
	    $(OBJECTS) -lm -lwasi-emulated-signal -o $@

$(OUT)/npm/files.json: $(GAMES) $(MODULE_FILES) $(SRC)/interp/web/pack_files.mjs
	@mkdir -p $(@D)
	node $(SRC)/interp/web/pack_files.mjs $(SRC) > $@.tmp
	mv $@.tmp $@

$(OUT)/npm/%: $(SRC)/interp/web/npm/%
	@mkdir -p $(@D)
	cp $< $@

$(OUT)/npm/LICENSE: $(SRC)/LICENSE
	@mkdir -p $(@D)
	cp $< $@

-include $(OBJECTS:.o=.d)

# The page. esbuild puts CodeMirror and the page's own modules into one file each for the page, its
# editor and its worker.
PAGE = $(wildcard $(SRC)/interp/web/page/*) $(SRC)/interp/cli/skeletons.txt
FORMAT = esm
$(OUT)/site/first.js: FORMAT = iife
$(SITE:%=$(OUT)/site/%): $(PAGE) $(OUT)/npm/index.js $(OUT)/npm/wasi.js
	@mkdir -p $(@D)
	NODE_PATH=$(MODULES)/node_modules $(MODULES)/node_modules/.bin/esbuild \
	    $(SRC)/interp/web/page/$(@F) --bundle --format=$(FORMAT) --minify --target=es2022 \
	    --external:node:* --external:./editor.js --legal-comments=linked --log-level=warning --outfile=$@

$(OUT)/site/gallery.json: $(OUT)/npm/ferz.wasm $(OUT)/npm/files.json $(OUT)/npm/index.js \
    $(OUT)/npm/wasi.js $(SRC)/interp/web/make_gallery.mjs $(SRC)/games/index.tsv
	node $(SRC)/interp/web/make_gallery.mjs $(OUT)/npm $(OUT)/site $(SRC)/games/index.tsv

MANUAL = $(SRC)/interp/web/make_manual.mjs $(SRC)/docs/html.awk $(wildcard $(SRC)/docs/*.md $(SRC)/docs/*/*.md)
$(OUT)/site/manual.html: $(MANUAL)
	@mkdir -p $(@D)
	node $< $(SRC) > $@.tmp
	mv $@.tmp $@

$(OUT)/site/ferz.wasm $(OUT)/site/files.json: $(OUT)/site/%: $(OUT)/npm/%
	@mkdir -p $(@D)
	cp $< $@

# Servers that know how send these to browsers, which read them.
$(OUT)/site/%.gz: $(OUT)/site/%
	gzip -9nc $< > $@

$(OUT)/site/%: $(SRC)/interp/web/page/%
	@mkdir -p $(@D)
	cp $< $@

.PHONY: all site
