/** YAML that operators write: plain values with the line of each, for faults that say where they are. */
@NullMarked
package dev.inboxd.base.yaml;

import org.jspecify.annotations.NullMarked;
