/**
 * Settings: the table of all of them, the types of their values, and the rules between them. A wrong value stops the
 * start with a message that names the setting.
 */
@NullMarked
package dev.inboxd.config;

import org.jspecify.annotations.NullMarked;
