package dev.inboxd.calendar.input;

import dev.inboxd.mail.recurrence.Slot;
import java.util.UUID;

/**
 * A date that a request changes.
 *
 * @param precondition the state that it is changed from
 */
public record DateRequest(UUID series, Slot slot, Precondition precondition) {}
