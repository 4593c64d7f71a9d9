/** {@code inboxd payment}: what was paid, for the operator. */
@NullMarked
package dev.inboxd.cli.payment;

import org.jspecify.annotations.NullMarked;
