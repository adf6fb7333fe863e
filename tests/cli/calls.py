"""Prints a script of thousands of functions, each with a loop that calls eight others."""
print('game "Calls";\nplayers Ann, Bob;\nboard square(3);\nvar seen: int;')
for i in range(6000):
    called = " + ".join(f"f{k}(a)" for k in range(max(0, i - 8), i)) or "1"
    print(f"fn f{i}(n: int): int {{ var t = n + turns; for a in 1..2 t += {called}; return t; }}")
print("turn { seen = f5999(1); }\nlimit 9 turns draw;")
