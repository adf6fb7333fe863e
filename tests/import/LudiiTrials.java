import java.io.BufferedWriter;
import java.io.File;
import java.io.FileWriter;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import game.Game;
import game.equipment.component.Component;
import game.types.board.SiteType;
import main.collections.FastArrayList;
import other.GameLoader;
import other.action.Action;
import other.action.die.ActionUpdateDice;
import other.context.Context;
import other.move.Move;
import other.state.container.ContainerState;
import other.topology.TopologyElement;
import other.trial.Trial;

/**
 * Plays random games on the user's own copy of Ludii, for replay.py:
 *
 *     java -cp LUDII tests/import/LudiiTrials.java LIST FOLDER TRIALS SECONDS
 *
 * Each line of LIST is the path of a .lud file, a tab, the heading of a ruleset or nothing, a tab,
 * and the name of the file that is written. There are up to TRIALS games of each, all of them
 * whole; after SECONDS of processor time no further game begins. A file lists the game's pieces,
 * sites and hands; then for each decision the dice that have been rolled for it, the number of
 * legal moves, and the position after the chosen move, as a difference, with a star. At some
 * decisions, the positions after the other moves follow.
 */
public class LudiiTrials {
    /** Every tenth decision lists all moves; the first one to do so depends on the trial. */
    private static final int EVERY = 10;
    private static final int MOST_MOVES = 1000;
    /** Scripts end a game as a draw after 1,000 turns, and Ludii after 1,250. */
    private static final int MOST_PLIES = 999;
    private static final Pattern ROLLED = Pattern.compile("site=(\\d+),state=(\\d+)");

    private static void addSites(StringBuilder text, ContainerState state, SiteType type, int from,
            int count, boolean stacks) {
        for (int site = from; site < from + count; site++) {
            int height = stacks ? state.sizeStack(site, type) : 1;
            for (int level = 0; level < height; level++) {
                int what = stacks ? state.what(site, level, type) : state.what(site, type);
                if (what == 0)
                    continue;
                text.append(site).append(':').append(what).append('.')
                        .append(stacks ? 1 : state.count(site, type)).append('.')
                        .append(stacks ? state.state(site, level, type) : state.state(site, type))
                        .append('.')
                        .append(stacks ? state.value(site, level, type) : state.value(site, type))
                        .append(' ');
            }
        }
    }

    private static String position(Context context) {
        Game game = context.game();
        StringBuilder text = new StringBuilder();
        SiteType type = game.board().defaultSite();
        int sites = game.board().topology().getGraphElements(type).size();

        addSites(text, context.state().containerStates()[0], type, 0, sites, game.isStacking());
        for (int i = 1; i < game.equipment().containers().length; i++)
            if (!game.equipment().containers()[i].isDice())
                addSites(text, context.state().containerStates()[i], SiteType.Cell,
                        game.equipment().sitesFrom()[i],
                        game.equipment().containers()[i].numSites(), game.isStacking());
        return text.toString();
    }

    private static String difference(String before, String after) {
        Map<String, Integer> gone = new HashMap<>();
        StringBuilder text = new StringBuilder();

        for (String site : before.split(" "))
            gone.merge(site, 1, Integer::sum);
        for (String site : after.split(" ")) {
            int left = gone.getOrDefault(site, 0);
            if (left > 0)
                gone.put(site, left - 1);
            else
                text.append('+').append(site).append(' ');
        }
        for (String site : new TreeSet<>(gone.keySet()))
            text.append(("-" + site + " ").repeat(gone.get(site)));
        return text.toString();
    }

    private static void describe(Game game, PrintWriter out) {
        out.println("GAME " + game.name() + "\t" + game.players().count() + "\t"
                + (game.isStacking() ? "stacks" : ""));
        for (int i = 1; i < game.equipment().components().length; i++) {
            Component piece = game.equipment().components()[i];
            out.println("PIECE " + i + " " + piece.owner() + " " + piece.getNameWithoutNumber());
        }
        for (int i = 1; i < game.equipment().containers().length; i++)
            if (game.equipment().containers()[i].isHand())
                for (int site = 0; site < game.equipment().containers()[i].numSites(); site++)
                    out.println("HAND " + (game.equipment().sitesFrom()[i] + site) + " "
                            + game.equipment().containers()[i].owner());
        StringBuilder labels = new StringBuilder("SITES");
        for (TopologyElement site : game.board().topology()
                .getGraphElements(game.board().defaultSite()))
            labels.append(' ').append(site.label());
        out.println(labels);
    }

    /** The dice that all moves of a decision have rolled, or "". A move may set them again later. */
    private static String roll(Context context, Move move) {
        StringBuilder text = new StringBuilder();
        TreeSet<Integer> seen = new TreeSet<>();

        for (Action action : move.actions())
            if (action instanceof ActionUpdateDice) {
                Matcher rolled = ROLLED.matcher(action.toTrialFormat(context));
                if (!rolled.find())
                    throw new IllegalStateException("an unknown form of a roll");
                int site = Integer.parseInt(rolled.group(1));
                if (!seen.add(site))
                    continue;
                int container = context.containerId()[site];
                int what = context.state().containerStates()[container].whatCell(site);
                text.append(' ').append(
                        context.components()[what].getFaces()[Integer.parseInt(rolled.group(2))]);
            }
        return text.toString();
    }

    private static String outcome(Context context, String before, String after) {
        return (context.trial().over() ? "E" : "") + context.state().mover() + " "
                + difference(before, after);
    }

    /** What each move changes. */
    private static TreeSet<String> outcomes(Context context, FastArrayList<Move> moves,
            String now) {
        TreeSet<String> all = new TreeSet<>();
        for (Move move : moves) {
            Context tried = new Context(context);
            context.game().apply(tried, move);
            all.add(outcome(tried, now, position(tried)));
        }
        return all;
    }

    private static void play(Game game, int number, PrintWriter out) {
        Trial trial = new Trial(game);
        Context context = new Context(game, trial);
        Random random = new Random(1000 + number);

        game.start(context);
        String now = position(context);
        out.println("POS " + context.state().mover() + " " + now);
        for (int ply = 0; ply < MOST_PLIES && !trial.over(); ply++) {
            FastArrayList<Move> moves = game.moves(context).moves();
            if (moves.size() == 0)
                break;
            boolean whole = (ply + 3 * number) % EVERY == 0 && moves.size() <= MOST_MOVES;
            int mover = context.state().mover();
            int count = moves.size();
            TreeSet<String> all = whole ? outcomes(context, moves, now) : new TreeSet<>();
            Move chosen = moves.get(random.nextInt(count));
            String rolled = roll(context, chosen);
            game.apply(context, chosen);
            String after = position(context);
            String reached = outcome(context, now, after);
            if (!rolled.isEmpty())
                out.println("ROLL" + rolled);
            out.println((whole ? "ALL " : "ONE ") + mover + " " + count);
            out.println("*" + reached);
            all.remove(reached);
            for (String text : all)
                out.println("-" + text);
            now = after;
        }
        if (trial.over()) {
            StringBuilder ranks = new StringBuilder("OVER " + trial.numMoves());
            for (int player = 1; player <= game.players().count(); player++)
                ranks.append(' ').append(trial.ranking()[player]);
            out.println(ranks);
        }
    }

    private static long seconds() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1_000_000_000L;
    }

    private static void playAll(Game game, int trials, long most, PrintWriter out) {
        describe(game, out);
        long begin = seconds();
        for (int i = 0; i < trials && seconds() < begin + most; i++)
            play(game, i, out);
    }

    public static void main(String[] args) throws Exception {
        for (String line : Files.readAllLines(new File(args[0]).toPath())) {
            String[] words = line.split("\t", -1);
            File file = new File(args[1], words[2]);
            if (file.exists())
                continue;
            File part = new File(args[1], words[2] + ".part");
            try (PrintWriter out = new PrintWriter(new BufferedWriter(new FileWriter(part)))) {
                Game game = GameLoader.loadGameFromFile(new File(words[0]), words[1]);
                if (game.isStochasticGame() && !game.hasHandDice() || game.hiddenInformation())
                    out.println("FAIL chance other than dice, or hidden information");
                else
                    playAll(game, Integer.parseInt(args[2]), Integer.parseInt(args[3]), out);
            } catch (Exception e) {
                try (PrintWriter out = new PrintWriter(part)) {
                    out.println("FAIL " + e.getMessage());
                }
            }
            Files.move(part.toPath(), file.toPath());
        }
        System.exit(0);
    }
}
