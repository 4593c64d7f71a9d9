package dev.inboxd.server;

import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.fault.CallFaults;
import dev.inboxd.base.fault.LookupFaults;
import dev.inboxd.config.Settings;
import dev.inboxd.notify.delivery.AttemptFaults;
import dev.inboxd.sandbox.fault.FaultyBlobs;
import dev.inboxd.sandbox.fault.FaultyCalls;
import dev.inboxd.sandbox.fault.FaultyLookups;
import dev.inboxd.sandbox.fault.FaultyPosts;
import dev.inboxd.sandbox.fault.WorldFaults;
import org.jspecify.annotations.Nullable;

/**
 * Where things fail because somebody asked for it; in production nowhere, and nothing of it is constructed.
 *
 * @param storage that of the service, with blobs that may be away
 * @param world the faults; null in production
 */
record FaultHooks(
        PlatformModule.Storage storage,
        CallFaults calls,
        LookupFaults lookups,
        AttemptFaults posts,
        @Nullable WorldFaults world) {
    static FaultHooks of(Settings.Mode mode, PlatformModule.Storage storage) {
        if (mode != Settings.Mode.DEV) {
            return new FaultHooks(storage, CallFaults.NONE, LookupFaults.NONE, AttemptFaults.NONE, null);
        }
        WorldFaults world = new WorldFaults(storage.database(), storage.clock());
        FaultyLookups lookups = new FaultyLookups(world);
        return new FaultHooks(
                new PlatformModule.Storage(
                        storage.database(), new FaultyBlobs(storage.blobs(), world), storage.vault(), storage.clock()),
                new FaultyCalls(world),
                lookups,
                new FaultyPosts(world, lookups),
                world);
    }
}
