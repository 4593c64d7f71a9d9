/** The accounts of inboxes at apps. */
@NullMarked
package dev.inboxd.app.account;

import org.jspecify.annotations.NullMarked;
