/** Sends that are repeated with one Idempotency-Key happen once. */
@NullMarked
package dev.inboxd.sending.idempotency;

import org.jspecify.annotations.NullMarked;
