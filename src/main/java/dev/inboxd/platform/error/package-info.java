/**
 * The one error form of the product. A {@link dev.inboxd.platform.error.Problem} may be thrown from anywhere; it is rendered
 * once as JSON (identity.md §3) and once as an SMTP reply. Everyone may use it; it imports nothing of ours.
 */
@NullMarked
package dev.inboxd.platform.error;

import org.jspecify.annotations.NullMarked;
