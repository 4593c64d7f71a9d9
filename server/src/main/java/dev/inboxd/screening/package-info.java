/**
 * Message security (security.md): which received mail is judged, by whom and within which limits, and what is done
 * about the verdict. The rules themselves are in {@link dev.inboxd.mail.screen}.
 */
@NullMarked
package dev.inboxd.screening;

import org.jspecify.annotations.NullMarked;
