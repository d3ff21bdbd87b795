"""The state machine of a deal, a paragraph of docs/rules.md §3 per module.

`dealing`: Set-up. `turns`: Legal actions of a turn (with `maumau.rules.legality`). `drawing`:
Drawing. `playing` and `effects`: Playing. `calls`: Missed calls. `acting`: an action, and Ends.
"""
