/**
 * Variable envelope return paths: a bounce of any form comes back to an address that says, unforgeably, what it is about.
 */
@NullMarked
package dev.inboxd.mail.verp;

import org.jspecify.annotations.NullMarked;
