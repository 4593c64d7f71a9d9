/** The links that a person sees in a mail: where they lead, and what they are for. */
@NullMarked
package dev.inboxd.mail.link;

import org.jspecify.annotations.NullMarked;
