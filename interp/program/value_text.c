/* Values in the texts of moves. See values.h. */

#include "interp/support/words.h"
#include "values.h"

static void name_or(const fz_program *p, uint32_t text, int64_t number, fzi_buffer *buffer)
{
    if (*fzi_text(p, text))
        fzi_buffer_text(buffer, fzi_text(p, text));
    else
        fzi_buffer_format(buffer, "%lld", (long long)number);
}

static void kind_text(const fz_program *p, int64_t kind, bool letters, fzi_buffer *buffer)
{
    const fz_kind_info *info = &p->kinds[kind];
    name_or(p, letters && *fzi_text(p, info->letter) ? info->letter : info->name, kind, buffer);
}

static void mask_text(const fz_program *p, uint16_t element, uint64_t mask, bool letters,
                      fzi_buffer *buffer)
{
    fzi_buffer_char(buffer, '{');
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        if (rest != mask)
            fzi_buffer_text(buffer, ", ");
        fzi_value_text(p, element, __builtin_ctzll(rest), letters, buffer);
    }
    fzi_buffer_char(buffer, '}');
}

/* How many values a finite type has, and the text of the one that is not there. */
static int64_t members(const fz_program *p, uint8_t kind, const char **none)
{
    *none = kind == FZ_VALUE_PLAYER || kind == FZ_VALUE_TEAM ? "nobody"
            : kind == FZ_VALUE_KIND ? "none" : "off";
    switch (kind) {
    case FZ_VALUE_SITE: return p->board.site_count;
    case FZ_VALUE_DIR: return p->board.dir_count;
    case FZ_VALUE_PLAYER: return p->player_count;
    case FZ_VALUE_TEAM: return p->team_count;
    case FZ_VALUE_KIND: return p->kind_count;
    default: return -1;
    }
}

void fzi_value_text(const fz_program *p, uint16_t type_index, int64_t value, bool letters,
                    fzi_buffer *buffer)
{
    const fz_value_type *type = &p->types[type_index];
    const char *none;
    int64_t count = members(p, type->kind, &none);
    if (count >= 0 && (value < 0 || value >= count)) {
        fzi_buffer_text(buffer, none);
        return;
    }
    switch (type->kind) {
    case FZ_VALUE_BOOL:
        fzi_buffer_text(buffer, value ? "true" : "false");
        break;
    case FZ_VALUE_SITE:
        name_or(p, p->board.site_names[value], value, buffer);
        break;
    case FZ_VALUE_DIR:
        name_or(p, p->board.dir_names[value], value, buffer);
        break;
    case FZ_VALUE_PLAYER:
        name_or(p, p->players[value].name, value, buffer);
        break;
    case FZ_VALUE_TEAM:
        name_or(p, p->has_teams ? p->team_names[value] : p->players[value].name, value, buffer);
        break;
    case FZ_VALUE_KIND:
        kind_text(p, value, letters, buffer);
        break;
    case FZ_VALUE_NAMED:
        if (value == FZ_NOT_THERE && type->low < 0)
            fzi_buffer_text(buffer, "none");
        else if (value >= type->low && value <= type->high && value >= 0)
            name_or(p, p->name_lists[type->names + (uint32_t)value], value, buffer);
        else
            fzi_buffer_format(buffer, "%lld", (long long)value);
        break;
    case FZ_VALUE_MASK:
        mask_text(p, type->element, (uint64_t)value, letters, buffer);
        break;
    default:
        fzi_buffer_format(buffer, "%lld", (long long)value);
        break;
    }
}

void fzi_sites_text(const fz_program *p, const uint64_t *set, fzi_buffer *buffer)
{
    bool first = true;
    fzi_buffer_char(buffer, '{');
    FZI_FOR_SITES (site, set, p->board.words) {
        if (!first)
            fzi_buffer_text(buffer, ", ");
        first = false;
        name_or(p, p->board.site_names[site], site, buffer);
    }
    fzi_buffer_char(buffer, '}');
}
