package dev.inboxd.mailbox.search.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mailbox.search.merge.MergeScheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Blocks, and runs made of runs, beside a map that is obviously right. */
class SegmentMergerTest {
    private static final UUID SCOPE = new UUID(0, 1);

    @Test
    void whatIsWrittenIsReadWhateverItsSize() {
        Random random = new Random(5);
        for (int round = 0; round < 50; round++) {
            SortedMap<Long, List<Integer>> entries = random(random, 1 + random.nextInt(400), 1 + random.nextInt(9_000));
            List<PostingsBlock> blocks = blocks(entries);
            assertThat(read(blocks)).isEqualTo(entries);
            assertThat(blocks).allMatch(block -> block.content().length <= PostingsBlock.LARGEST);
        }
    }

    @Test
    void aKeyIsFoundWithoutReadingTheOthers() {
        SortedMap<Long, List<Integer>> entries = random(new Random(7), 60, 2_000);
        PostingsBlock block = blocks(entries).getFirst();
        SortedMap<Long, List<Integer>> there = read(List.of(block));
        for (long key : entries.keySet()) {
            for (long wanted : List.of(key - 1, key)) {
                PostingsBlock.Entries found = new PostingsBlock.Entries(block);
                boolean is = found.next(wanted);
                assertThat(is).isEqualTo(there.containsKey(wanted));
                if (is) {
                    assertThat(Arrays.stream(found.documents())
                                    .limit(found.count())
                                    .boxed()
                                    .toList())
                            .isEqualTo(there.get(wanted));
                }
            }
        }
    }

    @Test
    void aKeyOfManyDocumentsGoesOnInTheNextBlocks() {
        SortedMap<Long, List<Integer>> entries = new TreeMap<>();
        entries.put(7L, List.of(3));
        entries.put(9L, IntStream.range(0, 10_000).boxed().toList());
        entries.put(Long.MAX_VALUE, List.of(9_999));
        List<PostingsBlock> blocks = blocks(entries);
        assertThat(blocks.stream().map(PostingsBlock::key)).startsWith(7L, 9L, 9L);
        assertThat(blocks.stream().map(PostingsBlock::part)).isSorted().doesNotHaveDuplicates();
        assertThat(read(blocks)).isEqualTo(entries);
    }

    @Test
    void aMergedRunHoldsWhatItsSourcesHeldWithoutWhatIsGone() {
        Random random = new Random(6);
        SortedMap<Long, List<Integer>> expected = new TreeMap<>();
        List<SegmentMerger.Source> sources = new ArrayList<>();
        int kept = 0;
        for (int source = 0; source < 9; source++) {
            SortedMap<Long, List<Integer>> entries = random(random, 200, 300);
            int[] renumbered = new int[300];
            for (int i = 0; i < 300; i++) {
                renumbered[i] = random.nextInt(5) == 0 ? -1 : kept++;
            }
            entries.forEach((key, documents) -> documents.stream()
                    .map(i -> renumbered[i])
                    .filter(i -> i >= 0)
                    .forEach(i -> expected.computeIfAbsent(key, _ -> new ArrayList<>())
                            .add(i)));
            sources.add(new SegmentMerger.Source(blocks(entries).iterator(), renumbered));
        }
        List<PostingsBlock> merged = new ArrayList<>();
        SegmentMerger.write(sources, new PostingsWriter(merged::add));
        assertThat(read(merged)).isEqualTo(expected);
    }

    @Test
    void eightRunsOfAboutOneSizeBecomeOne() {
        assertThat(MergeScheduler.nextMerge(runs(1, 1, 1, 1, 1, 1, 1))).isEmpty();
        assertThat(MergeScheduler.nextMerge(runs(1, 1, 1, 1, 1, 1, 1, 2, 8)))
                .extracting(Segment::documents)
                .containsExactly(2, 1, 1, 1, 1, 1, 1, 1);
        assertThat(MergeScheduler.nextMerge(runs(1, 9, 9, 9, 9, 9, 9, 9, 70))).hasSize(8);
        assertThat(MergeScheduler.nextMerge(runs(1, 120, 1, 120, 1, 120, 1, 120)))
                .hasSize(8);
        assertThat(MergeScheduler.nextMerge(runs(1, 1, 1, 1, 1, 1, 600, 70))).isEmpty();
    }

    @Test
    void theOldestLargeRunsBecomeOneOfTheLargestSizeWhichIsNeverWrittenForAFewMore() {
        assertThat(MergeScheduler.nextMerge(runs(40_000, 40_000, 40_000, 40_000, 40_000, 40_000)))
                .isEmpty();
        assertThat(MergeScheduler.nextMerge(runs(1, 40_006, 40_005, 40_004, 40_003, 40_002, 40_001, 40_000)))
                .extracting(Segment::documents)
                .containsExactly(40_000, 40_001, 40_002, 40_003, 40_004, 40_005);
        assertThat(MergeScheduler.nextMerge(runs(40_000, 240_000))).isEmpty();
        assertThat(MergeScheduler.nextMerge(runs(90_000, 70_000, 60_000, 60_000, 50_000, 240_000)))
                .extracting(Segment::documents)
                .containsExactly(50_000, 60_000, 60_000, 70_000);
        assertThat(MergeScheduler.nextMerge(runs(70_000, 50_000, 150_000))).isEmpty();
        assertThat(MergeScheduler.nextMerge(runs(90_000, 90_004, 90_003, 300_000, 90_002, 90, 90_001)))
                .extracting(Segment::documents)
                .containsExactly(90_003, 90_004);
        assertThat(MergeScheduler.nextMerge(runs(40_000, 90, 250_000))).isEmpty();
    }

    @Test
    void documentsAreNamedInBlocksOfAHundred() {
        List<UUID> messages =
                IntStream.range(0, 250).mapToObj(i -> new UUID(i, ~i)).toList();
        List<PostingsBlock> blocks = DocumentBlocks.blocks(messages);
        assertThat(blocks)
                .hasSize(3)
                .allMatch(block -> block.content().length <= PostingsBlock.LARGEST && block.key() < 0);
        for (int i = 0; i < 250; i++) {
            long key = DocumentBlocks.key(i);
            PostingsBlock block = blocks.stream()
                    .filter(each -> each.key() == key)
                    .findFirst()
                    .orElseThrow();
            assertThat(DocumentBlocks.message(block.content(), i)).isEqualTo(messages.get(i));
        }
    }

    /** Runs of these sizes, the newest first. */
    private static List<Segment> runs(int... sizes) {
        return Arrays.stream(sizes)
                .mapToObj(size -> new Segment(SCOPE, 1, size, Instant.EPOCH))
                .toList();
    }

    private static SortedMap<Long, List<Integer>> random(Random random, int keys, int documents) {
        SortedMap<Long, List<Integer>> entries = new TreeMap<>();
        for (int i = 0; i < keys; i++) {
            int rarity = 1 + random.nextInt(documents);
            List<Integer> some = IntStream.range(0, documents)
                    .filter(_ -> random.nextInt(rarity) == 0)
                    .boxed()
                    .toList();
            if (!some.isEmpty()) {
                entries.put(random.nextLong() >>> (2 + random.nextInt(50)), some);
            }
        }
        return entries;
    }

    private static List<PostingsBlock> blocks(SortedMap<Long, List<Integer>> entries) {
        List<PostingsBlock> blocks = new ArrayList<>();
        PostingsWriter writer = new PostingsWriter(blocks::add);
        entries.forEach((key, documents) ->
                writer.add(key, documents.stream().mapToInt(Integer::intValue).toArray(), documents.size()));
        writer.end();
        return blocks;
    }

    private static SortedMap<Long, List<Integer>> read(List<PostingsBlock> blocks) {
        SortedMap<Long, List<Integer>> entries = new TreeMap<>();
        for (PostingsBlock block : blocks) {
            PostingsBlock.Entries reading = new PostingsBlock.Entries(block);
            while (reading.next()) {
                List<Integer> documents = entries.computeIfAbsent(reading.key(), _ -> new ArrayList<>());
                Arrays.stream(reading.documents(), 0, reading.count()).forEach(documents::add);
            }
        }
        return entries;
    }
}
