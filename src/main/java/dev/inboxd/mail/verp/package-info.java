/**
 * Variable envelope return paths: a bounce of any form comes to an address that identifies, unforgeably, its message
 * and recipient.
 */
@NullMarked
package dev.inboxd.mail.verp;

import org.jspecify.annotations.NullMarked;
