/** Tests of apps and of their registration. */
@NullMarked
package dev.inboxd.app.registry;

import org.jspecify.annotations.NullMarked;
