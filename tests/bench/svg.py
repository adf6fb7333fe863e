"""Charts with two logarithmic axes, as plain SVG: a straight line is a power, its slope the
exponent."""
import math
from html import escape

WIDTH, HEIGHT = 720, 440
LEFT, RIGHT, TOP, BOTTOM = 70, 190, 16, 52
COLOURS = ("#1b6ca8", "#c1440e", "#2e7d32", "#7b4397", "#8a6d00", "#00838f")


def chart(series, x_title, y_title, pairs=False):
    """`series`: (name, [(x, y), ...]). With `pairs` each second one has its predecessor's colour,
    dashed."""
    points = [point for _, some in series for point in some]
    across = axis([x for x, _ in points], LEFT, WIDTH - RIGHT)
    up = axis([y for _, y in points], HEIGHT - BOTTOM, TOP)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
             f'width="{WIDTH}" '
             f'height="{HEIGHT}" font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for value in across.ticks:
        at = across.place(value)
        parts.append(line(at, TOP, at, HEIGHT - BOTTOM, "#ddd"))
        parts.append(label(at, HEIGHT - BOTTOM + 16, number(value), "middle"))
    for value in up.ticks:
        at = up.place(value)
        parts.append(line(LEFT, at, WIDTH - RIGHT, at, "#ddd"))
        parts.append(label(LEFT - 6, at + 4, number(value), "end"))
    parts.append(label((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, x_title, "middle"))
    middle = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(f'<text x="16" y="{middle:.0f}" text-anchor="middle" '
                 f'transform="rotate(-90 16 {middle:.0f})">{escape(y_title)}</text>')
    for index, (name, some) in enumerate(series):
        colour = COLOURS[(index // 2 if pairs else index) % len(COLOURS)]
        dashed = pairs and index % 2
        parts.append(curve([(across.place(x), up.place(y)) for x, y in some], colour, dashed))
    parts += names(series, up, pairs)
    return "\n".join([*parts, "</svg>", ""])


class axis:
    """From values to places, by their logarithms; with the numbers 1, 2, 5, 10, ...
    that lie between."""

    def __init__(self, values, start, end):
        low, high = math.log(min(values)), math.log(max(values))
        room = max((high - low) * 0.04, 0.02)
        self.low, self.high, self.start, self.end = low - room, high + room, start, end
        powers = range(math.floor(self.low / math.log(10)), math.ceil(self.high / math.log(10)) + 1)
        self.ticks = [digit * 10.0 ** power for power in powers for digit in (1, 2, 5)
                      if self.low <= math.log(digit * 10.0 ** power) <= self.high]

    def place(self, value):
        return (self.start
                + (math.log(value) - self.low) / (self.high - self.low) * (self.end - self.start))


def names(series, up, pairs):
    """Beside the ends of the curves, moved apart where they would meet."""
    wanted = sorted((up.place(some[-1][1]) + 4, index) for index, (_, some) in enumerate(series))
    places, last = {}, -math.inf
    for at, index in wanted:
        last = max(at, last + 14)
        places[index] = last
    over = max(0, last - (HEIGHT - BOTTOM + 10))
    found = []
    for index, (name, _) in enumerate(series):
        colour = COLOURS[(index // 2 if pairs else index) % len(COLOURS)]
        found.append(f'<text x="{WIDTH - RIGHT + 10}" y="{places[index] - over:.0f}" '
                     f'fill="{colour}">{escape(name)}</text>')
    return found


def curve(points, colour, dashed):
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dash = ' stroke-dasharray="5 3"' if dashed else ""
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>'
                   for x, y in points)
    return (f'<polyline points="{path}" fill="none" stroke="{colour}" '
            f'stroke-width="1.6"{dash}/>{dots}')


def line(x1, y1, x2, y2, colour):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


def label(x, y, text, anchor):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def number(value):
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"
