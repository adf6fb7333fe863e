    cc -O2 -march=native game.c -o game -lm
    ./game playout -n 1000 --seed 1
    ./game perft 3
    ./game moves MOVE MOVE

plays random games, counts sequences of turns, lists the legal moves after those that are named.

In another program: compile with -DFERZ_NO_MAIN, and where it is used

    #define FERZ_INTERFACE_ONLY
    #include "game.c"

which leaves the declarations below. A new game, its legal moves, playing one, who won, a random game:

    fz_program *game = fz_game();
    fz_machine *machine = fz_machine_new(game, NULL);        one for each thread
    fz_state *state = fz_state_new(machine, seed, stream);
    fz_moves *moves = fz_moves_new(machine);
    while (fz_state_waiting(state) == FZ_WAITING_MOVE) {
        fz_state_moves(machine, state, moves);               fz_moves_count of them
        fz_move move = fz_moves_at(moves, 0);                fz_move_text(machine, state, &move)
        fz_state_play(machine, state, &move);                or fz_state_play_random, fz_state_playout
    }
    fz_state_rank(state, player);                            1: came first
    fz_moves_free, fz_state_free, fz_machine_free, fz_program_release

What is declared about programs, machines, states, moves, chance, counting and sampling is here; scripts,
positions, drawings and tests are not. The results are those of ferz with the same seed.
