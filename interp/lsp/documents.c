/* The open documents: their texts, their analyses, and the subject of each message. Called by
 * server.c and by all requests. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "lsp.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* ---- URIs ---- */

/* The path "/a b" of "file:///a%20b"; of another scheme, the text after it. */
char *fzi_path_of_uri(const char *uri)
{
    const char *at = strchr(uri, ':');
    at = at ? at + 1 : uri;
    if (strncmp(at, "//", 2) == 0) {
        at = strchr(at + 2, '/'); /* after the host */
        if (!at)
            at = "/";
    }
    char *path = fzi_lsp_resize(NULL, strlen(at) + 1);
    size_t length = 0;
    for (; *at; at++) {
        unsigned byte = 0;
        bool is_escape = *at == '%' && isxdigit((unsigned char)at[1]) &&
                         isxdigit((unsigned char)at[2]) && sscanf(at + 1, "%2x", &byte) && byte;
        path[length++] = (char)(is_escape ? (int)byte : *at);
        at += is_escape ? 2 : 0;
    }
    path[length] = '\0';
    return path;
}

char *fzi_uri_of_path(const fzi_lsp *lsp, const char *path)
{
    const fzi_document *open = fzi_lsp_document_at(lsp, path);
    if (open)
        return fzi_lsp_copy(open->uri, strlen(open->uri));
    char *absolute = *path == '/' ? NULL : realpath(path, NULL);
    if (absolute)
        path = absolute;
    char *uri = fzi_lsp_resize(NULL, 3 * strlen(path) + 8);
    size_t length = (size_t)sprintf(uri, "file://");
    for (; *path; path++) {
        if (isalnum((unsigned char)*path) || strchr("/-_.~", *path))
            uri[length++] = *path;
        else
            length += (size_t)sprintf(uri + length, "%%%02X", (unsigned char)*path);
    }
    uri[length] = '\0';
    free(absolute);
    return uri;
}

/* ---- finding ---- */

static fzi_document *document_of_uri(const fzi_lsp *lsp, const char *uri)
{
    for (fzi_document *d = lsp->documents; d; d = d->next)
        if (strcmp(d->uri, uri) == 0)
            return d;
    return NULL;
}

/* True if both paths lead to one file, also through links. */
static bool same_file(const char *a, const char *b)
{
    struct stat left, right;
    return strcmp(a, b) == 0 || (stat(a, &left) == 0 && stat(b, &right) == 0 &&
                                 left.st_dev == right.st_dev && left.st_ino == right.st_ino);
}

fzi_document *fzi_lsp_document_at(const fzi_lsp *lsp, const char *path)
{
    for (fzi_document *d = lsp->documents; d; d = d->next)
        if (strcmp(d->path, path) == 0)
            return d;
    struct stat info;
    if (stat(path, &info) != 0)
        return NULL;
    for (fzi_document *d = lsp->documents; d; d = d->next)
        if (same_file(d->path, path))
            return d;
    return NULL;
}

const char *fzi_documents_overlay(void *user, const char *path, size_t *length)
{
    const fzi_document *document = fzi_lsp_document_at(user, path);
    if (!document)
        return NULL;
    *length = document->length;
    return document->text;
}

/* ---- analyses ---- */

fzi_analysis *fzi_document_analysis(fzi_lsp *lsp, fzi_document *document)
{
    if (!document->analysis)
        document->analysis = fzi_analyse(lsp->context, document->path, document->text,
                                         document->length, NULL, true);
    if (document->analysis) /* the handler of its compile has returned */
        memcpy(fzi_arena_handler(document->analysis->arena), &lsp->no_memory,
               sizeof lsp->no_memory);
    return document->analysis;
}

const fzi_mentions *fzi_document_mentions(fzi_lsp *lsp, fzi_document *document)
{
    fzi_analysis *analysis = fzi_document_analysis(lsp, document);
    if (analysis && !document->has_mentions) {
        document->mentions = fzi_mentions_find(analysis, FZI_OWN_SOURCE);
        document->has_mentions = true;
    }
    return &document->mentions;
}

/* ---- the subject of a message ---- */

static bool find_offsets(fzi_lsp *lsp, const json_t *params, fzi_lsp_place *place)
{
    if (fzi_lsp_offset(lsp, place->document, fzi_lsp_member(params, "range.start"),
                       &place->offset) &&
        fzi_lsp_offset(lsp, place->document, fzi_lsp_member(params, "range.end"), &place->end))
        return true;
    fzi_lsp_fail(lsp, FZI_LSP_INVALID_PARAMS, "range is missing");
    return false;
}

static bool find_mention(fzi_lsp *lsp, const json_t *params, fzi_lsp_place *place)
{
    if (!fzi_lsp_offset(lsp, place->document, fzi_lsp_member(params, "position"),
                        &place->offset)) {
        fzi_lsp_fail(lsp, FZI_LSP_INVALID_PARAMS, "position is missing");
        return false;
    }
    place->mention = fzi_mention_at(fzi_document_mentions(lsp, place->document), place->offset);
    return true;
}

bool fzi_lsp_find(fzi_lsp *lsp, const json_t *params, enum fzi_lsp_subject subject,
                  fzi_lsp_place *place)
{
    const char *uri = fzi_lsp_member_text(params, "textDocument.uri");
    *place = (fzi_lsp_place){.lsp = lsp, .params = params,
                             .document = uri ? document_of_uri(lsp, uri) : NULL};
    if (subject == FZI_LSP_NOTHING)
        return true;
    if (!place->document) {
        fzi_lsp_fail(lsp, FZI_LSP_INVALID_PARAMS,
                     uri ? "the document is not open" : "textDocument.uri is missing");
        return false;
    }
    if (subject == FZI_LSP_DOCUMENT)
        return true;
    place->analysis = fzi_document_analysis(lsp, place->document);
    if (!place->analysis)
        return false;
    place->source = fzi_source_at(place->analysis->sources, FZI_OWN_SOURCE);
    return place->source && (subject != FZI_LSP_RANGE || find_offsets(lsp, params, place)) &&
           (subject != FZI_LSP_PLACE || find_mention(lsp, params, place));
}

/* ---- opening, changing, closing ---- */

static void outdate(fzi_document *document)
{
    fzi_analysis_free(document->analysis);
    document->analysis = NULL;
    document->has_mentions = false;
    document->mentions = (fzi_mentions){0};
    document->is_published = false;
}

void fzi_documents_outdate(fzi_lsp *lsp)
{
    for (fzi_document *d = lsp->documents; d; d = d->next)
        outdate(d);
}

/* Documents that depend on other files: any of these may have changed. */
static void outdate_others(fzi_lsp *lsp, const fzi_document *changed)
{
    for (fzi_document *d = lsp->documents; d; d = d->next) {
        bool depends = !changed || !d->analysis;
        const fzi_sources *sources = d->analysis ? d->analysis->sources : NULL;
        for (uint32_t i = FZI_OWN_SOURCE + 1; sources && !depends && i < sources->count; i++)
            depends = same_file(fzi_source_at(sources, i)->path, changed->path);
        /* A file that was missing may be there now. */
        if (d == changed || !(depends || d->analysis->diags->errors))
            continue;
        outdate(d);
        lsp->refreshes = lsp->client.refreshes;
    }
}

static void document_free(fzi_document *document)
{
    fzi_analysis_free(document->analysis);
    free(document->uri);
    free(document->path);
    free(document->text);
    free(document);
}

void fzi_documents_clear(fzi_lsp *lsp)
{
    while (lsp->documents) {
        fzi_document *next = lsp->documents->next;
        document_free(lsp->documents);
        lsp->documents = next;
    }
}

static void set_text(fzi_document *document, const json_t *text)
{
    free(document->text);
    document->length = json_string_length(text);
    document->text = fzi_lsp_copy(json_string_value(text), document->length);
}

json_t *fzi_lsp_opened(const fzi_lsp_place *at)
{
    const char *uri = fzi_lsp_member_text(at->params, "textDocument.uri");
    const json_t *text = fzi_lsp_member(at->params, "textDocument.text");
    if (!uri || !json_is_string(text))
        return NULL;
    fzi_document *document = at->document;
    if (!document) {
        document = fzi_lsp_resize(NULL, sizeof *document);
        *document = (fzi_document){.uri = fzi_lsp_copy(uri, strlen(uri)),
                                   .path = fzi_path_of_uri(uri), .next = at->lsp->documents};
        at->lsp->documents = document;
    }
    set_text(document, text);
    document->version = json_integer_value(fzi_lsp_member(at->params, "textDocument.version"));
    outdate(document);
    outdate_others(at->lsp, document);
    return NULL;
}

/* Replaces a range, or the whole text if there is none. */
static void change(fzi_lsp *lsp, fzi_document *document, const json_t *edit)
{
    const json_t *text = json_object_get(edit, "text"), *range = json_object_get(edit, "range");
    uint32_t start, end;
    if (!json_is_string(text))
        return;
    if (!json_is_object(range)) {
        set_text(document, text);
        return;
    }
    if (!fzi_lsp_offset(lsp, document, json_object_get(range, "start"), &start) ||
        !fzi_lsp_offset(lsp, document, json_object_get(range, "end"), &end))
        return;
    if (end < start)
        end = start;
    size_t added = json_string_length(text), length = document->length - (end - start) + added;
    char *changed = fzi_lsp_resize(NULL, length + 1);
    memcpy(changed, document->text, start);
    memcpy(changed + start, json_string_value(text), added);
    memcpy(changed + start + added, document->text + end, document->length - end + 1);
    free(document->text);
    document->text = changed;
    document->length = length;
}

json_t *fzi_lsp_changed(const fzi_lsp_place *at)
{
    fzi_document *document = at->document;
    const json_t *edits = json_object_get(at->params, "contentChanges");
    for (size_t i = 0; i < json_array_size(edits); i++)
        change(at->lsp, document, json_array_get(edits, i));
    document->version = json_integer_value(fzi_lsp_member(at->params, "textDocument.version"));
    outdate(document);
    outdate_others(at->lsp, document);
    return NULL;
}

json_t *fzi_lsp_closed(const fzi_lsp_place *at)
{
    fzi_document *document = at->document, **link = &at->lsp->documents;
    while (*link != document)
        link = &(*link)->next;
    *link = document->next;
    outdate_others(at->lsp, document);
    fzi_lsp_notify(at->lsp, "textDocument/publishDiagnostics",
                   json_pack("{s:o, s:[]}", "uri", fzi_lsp_string(document->uri), "diagnostics"));
    document_free(document);
    return NULL;
}

json_t *fzi_lsp_files_changed(const fzi_lsp_place *at)
{
    outdate_others(at->lsp, NULL);
    return NULL;
}

json_t *fzi_lsp_location(const fzi_lsp *lsp, const fzi_analysis *analysis, fzi_span span)
{
    const fzi_source *source = fzi_source_at(analysis->sources, span.source);
    char *uri = fzi_uri_of_path(lsp, source ? source->path : "");
    json_t *location = json_pack("{s:o, s:o}", "uri", fzi_lsp_string(uri), "range",
                                 fzi_lsp_span_range(lsp, analysis, span));
    free(uri);
    return location;
}
