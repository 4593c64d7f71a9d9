package dev.inboxd.base.errand;

import dev.inboxd.base.database.OuterTransaction;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What a request waits for besides the database. In an {@link OuterTransaction} it must not be waited for, as others
 * wait for the organization's clock: the request is taken back, the errand is run, and the request begins again.
 */
public final class Errands {
    /** A request that wants more of them than this has a fault. */
    private static final int MOST = 32;

    private static final ScopedValue<Map<String, Object>> DONE = ScopedValue.newInstance();

    private static final ScopedValue<Boolean> TRIAL = ScopedValue.newInstance();

    private Errands() {}

    /** A request in an outer transaction wants something first. */
    private static final class ErrandWantedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final String name;
        private final transient Supplier<Object> work;

        ErrandWantedException(String name, Supplier<Object> work) {
            super(name, null, false, false);
            this.name = name;
            this.work = work;
        }
    }

    /**
     * What the work gives; in an outer transaction the request begins again when it was not run for it yet.
     *
     * @param name the same in each attempt of a request, and of no other work in it
     */
    @SuppressWarnings("unchecked") // a name has one kind of work
    public static <T> T of(String name, Supplier<T> work) {
        if (!OuterTransaction.isOpen()) {
            return work.get();
        }
        Object done = DONE.isBound() ? DONE.get().get(name) : null;
        if (done == null) {
            throw new ErrandWantedException(name, work::get);
        }
        return (T) done;
    }

    /** Runs a request all of whose writes are taken back. */
    public static <T> T trial(Supplier<T> request) {
        return ScopedValue.where(TRIAL, true).call(request::get);
    }

    /** Whether what this thread writes is taken back in any case, so that nothing need be kept elsewhere for it. */
    public static boolean isTrial() {
        return TRIAL.isBound();
    }

    /** Runs work that has outer transactions, as often as it wants an errand first; none of them is open meanwhile. */
    public static <T> T with(Supplier<T> request) {
        Map<String, Object> done = new HashMap<>();
        for (int i = 0; i < MOST; i++) {
            try {
                return ScopedValue.where(DONE, done).call(request::get);
            } catch (ErrandWantedException errand) {
                done.put(errand.name, errand.work.get());
            }
        }
        throw new IllegalStateException("a request wants ever more: " + done.keySet());
    }
}
