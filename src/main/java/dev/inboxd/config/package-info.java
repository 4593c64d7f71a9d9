/** To be described. */
@NullMarked
package dev.inboxd.config;

import org.jspecify.annotations.NullMarked;
