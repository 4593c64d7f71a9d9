/** What a service sends to an address to see whose it is, and wants to have back: codes and links of a mail. */
@NullMarked
package dev.inboxd.mail.challenge;

import org.jspecify.annotations.NullMarked;
