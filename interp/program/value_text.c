/* Writes values as authors write them. See values.h. */
#include "interp/support/words.h"
#include "values.h"

static bool is_one(int64_t value, uint32_t count)
{
    return value >= 0 && value < count;
}

const char *fzi_value_name(const fz_program *p, const fz_value_type *type, int64_t value)
{
    switch (type->kind) {
    case FZ_VALUE_BOOL:
        return value ? "true" : "false";
    case FZ_VALUE_SITE:
        return is_one(value, p->board.site_count) ? fzi_text(p, p->board.site_names[value]) : "off";
    case FZ_VALUE_DIR:
        return is_one(value, p->board.dir_count) ? fzi_text(p, p->board.dir_names[value]) : "off";
    case FZ_VALUE_PLAYER:
        return is_one(value, p->player_count) ? fzi_text(p, p->players[value].name) : "nobody";
    case FZ_VALUE_TEAM:
        return !is_one(value, p->team_count) ? "nobody"
               : p->has_teams                ? fzi_text(p, p->team_names[value])
                                             : fzi_text(p, p->players[value].name);
    case FZ_VALUE_KIND:
        return is_one(value, p->kind_count) ? fzi_text(p, p->kinds[value].name) : "none";
    case FZ_VALUE_NAMED:
        return value >= 0 && value <= type->high
                   ? fzi_text(p, p->name_lists[type->names + (uint32_t)value])
               : value == FZ_NOT_THERE && type->low < 0 ? "none" : NULL;
    default:
        return NULL;
    }
}

const char *fzi_value_own_name(const fz_program *p, const fz_value_type *type, int64_t value)
{
    return type->kind == FZ_VALUE_NAMED && value >= 0 && value <= type->high
               ? fzi_text(p, p->name_lists[(int64_t)type->names + type->high + 1 + value])
               : NULL;
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

void fzi_value_text(const fz_program *p, uint16_t type_index, int64_t value, bool letters,
                    fzi_buffer *buffer)
{
    const fz_value_type *type = &p->types[type_index];
    const char *name = fzi_value_name(p, type, value);
    if (letters && type->kind == FZ_VALUE_KIND && is_one(value, p->kind_count) &&
        *fzi_text(p, p->kinds[value].letter))
        name = fzi_text(p, p->kinds[value].letter);
    if (type->kind == FZ_VALUE_MASK)
        mask_text(p, type->element, (uint64_t)value, letters, buffer);
    else if (name && *name)
        fzi_buffer_text(buffer, name);
    else
        fzi_buffer_format(buffer, "%lld", (long long)value);
}

void fzi_sites_text(const fz_program *p, const uint64_t *set, fzi_buffer *buffer)
{
    const char *between = "{";
    FZI_FOR_SITES (site, set, p->board.words) {
        fzi_buffer_text(buffer, between);
        fzi_buffer_text(buffer, fzi_text(p, p->board.site_names[site]));
        between = ", ";
    }
    fzi_buffer_text(buffer, *between == '{' ? "{}" : "}");
}
