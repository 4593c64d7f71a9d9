/**
 * The one form of errors. A {@link dev.inboxd.base.error.Problem} may be thrown from anywhere; it is rendered
 * once, as JSON (identity.md §3) or as an SMTP reply. Every package may use this one, which imports no other.
 */
@NullMarked
package dev.inboxd.base.error;

import org.jspecify.annotations.NullMarked;
