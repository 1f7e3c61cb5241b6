/** Filters of lists, and the views that are saved of them. */
export const viewsEnglish = {
  'filter.remove': 'Remove the filter “{value}”',
  'views.title': 'Views',
  'views.none': 'No saved views yet. Set filters or an order, then save them under a name.',
  'views.saveAction': 'Save this view…',
  'views.saveTitle': 'Save this view',
  'views.save': 'Save view',
  'views.name': 'Name',
  'views.nameHint': 'The view has the filters and the order of the list. Only you see it.',
  'views.renameAction': 'Rename this view…',
  'views.renameTitle': 'Rename the view',
  'views.rename': 'Rename',
  'views.update': 'Save these filters to “{name}”',
  'views.saved': 'The view “{name}” is saved.',
  'views.deleteAction': 'Delete this view…',
  'views.deleteTitle': 'Delete the view “{name}”?',
  'views.deleteText': 'The list and its filters stay as they are.',
} as const;
