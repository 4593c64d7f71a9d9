/** The apps that an operator registered. */
@NullMarked
package dev.inboxd.app.registry;

import org.jspecify.annotations.NullMarked;
