/** A hundred turns of ordinary chat about five topics, twenty each, by the user and the assistant alternately. */
export const FIVE_MATTERS: readonly (readonly string[])[] = [
  [
    'morning. the shower drain in the small bathroom is backing up again, second time since we moved in',
    'Second time in a short while usually means the trap was never cleaned properly, only poked through. ' +
      'Does the water go down slowly, or does it stand for hours before it drains away?',
    'stands for maybe an hour then goes. smells a bit like old pond',
    'A pond smell points at a film of soap and hair in the trap. Lift the grate, pull out the cup of the ' +
      'trap and rinse it in a bucket, not in the sink, or you move the trouble one pipe along.',
    'the grate is glued down with silicone, who does that',
    'Somebody who had a rattling grate and no patience. Cut the bead with a plastic scraper, work slowly ' +
      'around it, and scrape off what is left with a little vinegar so that the new seal holds.',
    'ok its off. there is a whole wig in there',
    'Then you have found it. Pull it out with gloves, rinse the cup, and run two litres of hot water ' +
      "after it. If the drain gurgles afterwards the vent is blocked, which is the landlord's business and " +
      'not yours.',
    'it gurgles like a dying whale',
    'So the trap was only half of it. A gurgle after rinsing means that air cannot get in behind the ' +
      'water. Take a short video with sound, landlords find it hard to argue with a whale.',
    'sent it to mr haddad. he says he never heard of a vent',
    'Ask him for a plumber in writing and name a date, for instance within ten days. Say that the shower ' +
      'drains slowly, gurgles and smells, and that you cleaned the trap yourself on the same day.',
    'he wants to come himself on saturday with a wire',
    'A wire from below cannot clear a vent that runs to the roof. Let him look, but keep the written ' +
      'request open so that the ten days keep running, and take photos of what he does.',
    'he came, poked it, scratched the tray and left. its the same',
    'Then write to him tonight: the visit did not help, the tray has a scratch that was not there ' +
      'before, and you ask for a plumber again. Add the photos, and keep the tone dull.',
    'done. he is sending bayside plumbing on tuesday at 8, and pays for the tray too',
    'That is the best outcome there was. Be there at eight, have the bathroom empty, and ask the plumber ' +
      'to write the cause on the slip so that it does not land on your deposit later.',
    'they found a birds nest in the vent pipe. drain runs like new, bill 140 goes to haddad',
    'A nest explains the gurgle and the smell alike. Keep the slip with the cause on it, and ask whether ' +
      'they put a cage on the pipe, or the birds will be back in spring.',
  ],
  [
    'ok totally different topic. we want to go to scotland by train in september, me and lou, about a week',
    'September is a good choice: fewer midges, and the hills are purple until the middle of the month. ' +
      'From where do you start, and do you want one base or a different bed every other night?',
    'from brussels. and no more than two beds please, lou unpacks everything everywhere',
    'Two beds then. Eurostar to London and the sleeper to Fort William gets you there overnight, which ' +
      'saves a bed and gives you the best morning of the whole trip, over Rannoch Moor with a coffee.',
    'is the sleeper worth it, i saw 290 for a double',
    'For the two of you it replaces a hotel night in London and half a day of travelling. If you sleep ' +
      'badly on trains it is an expensive coffee, but most people only talk about the moor afterwards.',
    'we sleep like stones. ok sleeper out, what about the way back',
    'Back by day: Mallaig to Glasgow on the West Highland line, the stretch with the viaduct, then ' +
      'Glasgow to London, and Eurostar in the late afternoon. It is a long day, but you sit and look out.',
    'where do the two beds go',
    'Three nights in Fort William for the glen and the hills, then three in Mallaig or Arisaig for the ' +
      'white beaches and the boat to the islands. Arisaig is quieter and has the better beach.',
    'arisaig then. lou cant do steep stuff, her hip',
    'Then take the flat walks: the river path in Glen Nevis to the wire bridge and back, the silver ' +
      'sands at Morar, and the boat to Eigg, where the road from the pier is level for two miles.',
    'how much is the boat and do we need to book',
    'It sails from Arisaig on most days until the end of September and costs around 25 pounds each. In ' +
      'good weather it fills up, so book two or three days before, once the forecast settles.',
    'and food, lou eats no fish at all. in a fishing village. i know',
    'There is venison, there are pies, and every kitchen up there makes a decent soup. Ask for the ' +
      'vegetable one to be made without fish stock, since that is where it hides.',
    'hm what about rain gear, do we really need trousers too',
    'Yes, trousers too. The rain comes sideways, and wet jeans on a boat are the end of a day out. Light ' +
      'ones that go over everything weigh less than a paperback.',
    'booked!! sleeper on the 12th of september, 3 nights fort william, 3 nights arisaig, home on the 19th',
    'That is a lovely week. Put the boat on a list for the 15th, when the forecast reaches your Arisaig ' +
      'days, and take the left side of the train on the way to Mallaig, the loch is there.',
  ],
  [
    'new thing, computer this time. i have 8000 photos with names like IMG_2231 and i want the date in the name',
    'The date sits in the metadata of each picture, so a small script can do it. On what system are you, ' +
      'and are they all jpegs, or are there raw files and videos among them?',
    'windows, mostly jpeg, some heic from lous phone and a few mp4',
    'Then use exiftool: it reads the date of all three kinds. One command renames a folder, and it can ' +
      'write a list of what it would do first, without touching anything. Start with a copy of twenty ' +
      'pictures.',
    'it says no writable tags set from filename, help',
    'That message means that the pictures have no original date, only the date of the file. Screenshots ' +
      'and pictures that came by chat lose it. How many of the twenty does it say that of?',
    '6 of 20. those are from whatsapp yes',
    'Those carry the day in their own name, as in IMG-20210704. Let exiftool read it from there for ' +
      'these, and put both commands one after the other, so that each takes what the other cannot.',
    'ok works on the twenty. what if two photos have the same second',
    'Add a counter to the pattern. With a percent sign and the letter c behind the date, exiftool ' +
      'appends a number only when the name is taken already, so nothing gets overwritten.',
    'running on the whole folder now. its been 10 min, is that normal',
    'For eight thousand files from an external disk, yes. It opens each of them. A disk with a cable of ' +
      'the older kind does about fifteen files a second, so expect nine or ten minutes, perhaps twelve.',
    'finished but 212 errors. "file already exists"',
    'Those are true doubles: the same picture twice, with the same second. Compare their checksums ' +
      'before you delete anything; doubles from the same phone are identical to the last byte.',
    'how do i compare checksums without clicking 212 times',
    'PowerShell can group the files by their hash and list every group with more than one. Let it only ' +
      'list them first, look at five groups yourself, and then move the extra ones to a folder.',
    'moved 198, the other 14 are really different pictures, burst mode',
    'Bursts are the classic case: ten frames in a second. Rename those fourteen with the milliseconds in ' +
      'the pattern, the camera writes them into a tag of its own, and you are through.',
    'all renamed. 7788 photos, every one with a date, and the doubles are gone. i could cry',
    'Do cry, and then make a second copy on another disk before the next idea. Keep the two commands in ' +
      'a text file beside the pictures: next year you will want them again.',
  ],
  [
    'different subject: my sister asks me to do the cake for her wedding. 60 people. i have never made ' +
      'more than a birthday cake',
    'Sixty is three tiers of 15, 20 and 25 centimetres, cut small. It is the same cake three times, not ' +
      'a harder cake. What does she want inside, and how warm will the room be?',
    'lemon. june. a barn with no cooling',
    'A barn in June rules out buttercream and fresh cream. Take a lemon sponge, a cooked lemon curd, and ' +
      'a meringue buttercream with little butter in it, which stays firm up to about 26 degrees.',
    'can i bake before, the wedding is on a saturday',
    'Bake on Wednesday, wrap the cold layers tightly and freeze them. Fill and coat them on Friday while ' +
      'they are still half frozen, since they crumble less, and stack them on Saturday in the barn.',
    'what do i stack it with, sticks?',
    'Five plastic rods in the lowest tier and four in the middle one, cut to exactly the height of the ' +
      'tier, with a thin cardboard disc under each cake. Without rods the top sinks into the bottom by the ' +
      'speeches.',
    'tried one tier at the weekend. dry like a rusk',
    'Lemon sponge dries out quickly, so brush each layer with syrup: equal parts of sugar and lemon ' +
      'juice, boiled for a minute. And take it out five minutes earlier, a skewer with moist crumbs is ' +
      'right.',
    'second try is good!! my neighbour ate half. how much curd for three tiers',
    'About 900 grams. Make it on Thursday with twelve yolks and let it set overnight in the fridge. Pipe ' +
      'a ring of buttercream at the edge of each layer first, so that the curd stays in.',
    'and driving it. its 40 km of bad road',
    'Drive the tiers apart, each in a box of its own with a damp cloth below it, on the floor of the ' +
      'boot and not on a seat. Switch the cooling on half an hour before you load.',
    'my sister now wants flowers on it, real ones',
    'Take flowers that are safe to eat, such as roses, violas or cornflowers, unsprayed. No lilies and ' +
      'no lily of the valley. Put the stems into little tubes, then they stay fresh and the cake stays ' +
      'clean.',
    'ok decided: lemon, three tiers, meringue buttercream, cornflowers from her garden',
    'That will look like June itself. Write a list by day from Wednesday to Saturday, and give somebody ' +
      'else the knife: whoever bakes the cake should not have to cut it.',
    'it stood!!! no sinking, nobody sick, and my uncle had four pieces',
    'Then you have made a wedding cake. Four pieces from one uncle is the review that counts. Write the ' +
      'syrup down before you forget it, somebody will ask you for it within the year.',
  ],
  [
    'anyway, unrelated: my bike. the chain jumps when i go uphill, new chain from last month',
    'A new chain that jumps under load almost always sits on an old cassette: the teeth are worn to the ' +
      'shape of the old chain. Are the teeth of your favourite gears hooked, like little shark fins?',
    'yep. shark fins. so a new cassette?',
    'Yes, and look at the front ring too. Count the teeth of the smallest and the largest cog of the old ' +
      'one, and buy the same, or the chain will be too short or the derailleur out of its depth.',
    '11 to 34, ten speed. shop says 68 euros plus 25 for fitting',
    'The price is fair for the part. Fitting takes twenty minutes with two tools that cost about 25 ' +
      'euros together, so if you will ever do it twice, buy the tools and keep them.',
    'tools then. which ones exactly',
    'A chain whip and the lockring tool for your brand, plus a big adjustable spanner that you surely ' +
      'have. Ask for the lockring tool with a guide pin, it does not slip off and take your knuckles along.',
    'lockring wont move, i am standing on the spanner',
    'Check the direction: the ring opens to the left, while the whip holds the cog against it. Put the ' +
      'spanner so that both handles form a narrow V, and push them together with both hands.',
    'it cracked like a gun and now its loose. neighbours are out',
    'That is the normal sound, the ring has notches. Wipe the body, put a little grease on it, and slide ' +
      'the cogs on: there is one narrow groove, so they only fit in one way.',
    'theres one thin ring left over',
    'The spacer. It belongs behind the biggest cog if the wheel was made for eleven gears and the ' +
      'cassette has ten. If the cassette wobbles without it, you know where it goes.',
    'it wobbled. put it in. tight now. do i need to set the gears again',
    'A quarter turn at most. Shift to the smallest cog, then click by click upwards: if it hesitates ' +
      'going up, turn the barrel of the cable to the left by half a click, and try again.',
    'works in all ten, no jumping, rode up castle hill twice to be sure',
    'Twice up Castle Hill is a proper test. Measure the chain every thousand kilometres from now on: a ' +
      'chain for 20 euros that is changed in time saves the cassette for 68.',
    'ok i ordered a chain checker and put the 1000 km in my calendar',
    'Then this cassette will outlive three chains. Wipe the chain after rain, oil it one drop a link, ' +
      'and wipe it again: what is outside only collects sand.',
  ],
];
