/** inboxd: the email inbox service for software agents. */
@NullMarked
package dev.inboxd;

import org.jspecify.annotations.NullMarked;
