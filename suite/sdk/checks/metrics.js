import assert from "node:assert/strict";
import { refused } from "../world.js";

const received = "message.received.unauthenticated";

export async function metrics(world, check) {
    const { client, made } = world;

    await check("events are counted at every level, by bucket and one by one", async () => {
        const inbox = await client.inboxes.create({ username: world.name("metered") });
        made.metered = inbox;
        for (const subject of ["m1", "m2"]) {
            assert.match(await world.smtp({
                to: inbox.inboxId,
                data: `Message-ID: <${subject}-${world.mode}@outside.example>\r\nFrom: Ann <ann@outside.example>\r\nSubject: ${subject}\r\n\r\nHi.\r\n`,
            }), /^250 /);
        }
        const each = await client.inboxes.metrics.queryEvents(inbox.inboxId, { eventTypes: [received, "message.sent"] });
        assert.deepEqual(each["message.sent"], []);
        assert.equal(each[received].reduce((sum, { count }) => sum + count, 0), 2);
        assert.ok(each[received].every(({ timestamp }) => timestamp instanceof Date));
        const by = await client.inboxes.metrics.queryEvents(inbox.inboxId, { period: 86400, descending: true });
        assert.equal(Object.keys(by).length, 10);
        assert.equal(by[received].reduce((sum, { count }) => sum + count, 0), 2);
        const pod = await client.pods.metrics.queryEvents(inbox.podId, { eventTypes: [received] });
        const all = await client.metrics.queryEvents({ eventTypes: [received] });
        assert.ok(pod[received].length >= 2 && all[received].length >= pod[received].length);
    });
    await check("usage is a running total", async () => {
        const usage = await client.inboxes.metrics.queryUsage(made.metered.inboxId);
        assert.deepEqual(Object.keys(usage).toSorted(), ["message_count", "storage_bytes", "thread_count"]);
        assert.equal(usage.message_count.at(-1).value, 2);
        assert.ok(usage.storage_bytes.at(-1).value > 100 && usage.message_count.length <= 100);
        const wide = await client.metrics.queryUsage({ usageTypes: ["inbox_count", "pod_count"] });
        assert.deepEqual(Object.keys(wide).toSorted(), ["inbox_count", "pod_count"]);
        assert.ok(wide.inbox_count.at(-1).value >= 1);
    });
    await check("a range of too many periods is refused", async () => {
        await refused(client.metrics.queryEvents({ period: 1 }), 400, "query_range_too_wide");
        await refused(client.metrics.queryEvents({ start: new Date(Date.now() - 91 * 86_400_000) }), 400, "validation_error");
    });
}
