/** To be described. */
@NullMarked
package dev.inboxd.smtp.client;

import org.jspecify.annotations.NullMarked;
