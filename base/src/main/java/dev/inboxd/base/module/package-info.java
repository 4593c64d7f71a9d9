/** What a part of the service offers to the server: its routes, and what of it is started and stopped. */
@NullMarked
package dev.inboxd.base.module;

import org.jspecify.annotations.NullMarked;
