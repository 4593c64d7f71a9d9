/**
 * Variable envelope return paths: a bounce of any form comes back to an address that names its message and recipient
 * and cannot be forged.
 */
@NullMarked
package dev.inboxd.mail.verp;

import org.jspecify.annotations.NullMarked;
