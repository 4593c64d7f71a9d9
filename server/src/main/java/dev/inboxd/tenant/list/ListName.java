package dev.inboxd.tenant.list;

/** One of the six lists of each level. */
record ListName(Direction direction, ListType type) {
    /** The path of the list, below its owner's. */
    String path() {
        return "/lists/" + direction.wireName() + "/" + type.wireName();
    }
}
