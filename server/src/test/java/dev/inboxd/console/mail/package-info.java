/** What lists and conversations of the console say, and what mail cannot do there. */
@NullMarked
package dev.inboxd.console.mail;

import org.jspecify.annotations.NullMarked;
