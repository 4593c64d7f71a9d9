/** Web addresses in the normal form of the WHATWG URL Standard, and the addresses of hosts in them. */
@NullMarked
package dev.inboxd.mail.url;

import org.jspecify.annotations.NullMarked;
