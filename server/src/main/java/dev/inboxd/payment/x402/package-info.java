/**
 * The headers of x402, version 2, over HTTP (payments.md §6): what is wanted, what a payer sent, how it ended. They are
 * read and written here; nothing is asked, kept or settled.
 */
@NullMarked
package dev.inboxd.payment.x402;

import org.jspecify.annotations.NullMarked;
