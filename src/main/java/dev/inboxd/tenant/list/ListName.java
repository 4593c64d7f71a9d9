package dev.inboxd.tenant.list;

/** One of the six lists that each level has. */
record ListName(Direction direction, ListType type) {
    /** As paths name it. */
    String path() {
        return "/lists/" + direction.wireName() + "/" + type.wireName();
    }
}
